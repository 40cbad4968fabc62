/** `node bench/limits/run.ts`: the limiter and the journal by themselves, one JSON line each. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { decisionsPerSecond, overAdmission } from './decisions.ts'
import { underAdmission } from './honest-callers.ts'
import { journalThroughput } from './journal.ts'

const print = (name: string, figures: object) => console.log(JSON.stringify({ name, ...figures }))

for (const keys of [1, 100, 10_000]) {
  for (const load of [0.9, 3]) print('decisions', { keys, load, ...decisionsPerSecond(keys, load, 3_000_000) })
}
print('over-admission in 10 million decisions', overAdmission(10_000_000))
for (const keys of [1, 100, 10_000]) {
  for (const rate of [10, 25]) {
    print('under-admission at 3 x the load', {
      keys,
      rate,
      ...underAdmission(keys, keys > 100 ? 60 : 600, { rate }, 'package'),
    })
  }
}
print('under-admission at 3 x the load, searches', underAdmission(100, 600, {}, 'search'))
const memory = execFileSync(process.execPath, ['--expose-gc', join(import.meta.dirname, 'memory.ts')], {
  encoding: 'utf8',
})
print('memory of a million keys', JSON.parse(memory) as object)
for (const perTurn of [1, 10, 100])
  print('journal', await journalThroughput(perTurn === 1 ? 100_000 : 500_000, perTurn))
