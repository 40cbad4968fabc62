/**
 * Measures the limiter and the journal without HTTP: decisions per second, over-admission, under-admission, memory of a
 * million keys, and records per second of journal and fold. Prints one line of JSON per measurement.
 *   npm run bench -- limits [--share 1]
 * `--share 0.1` makes a tenth of the decisions and records.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { flag } from '../load/figures.ts'
import { decisionsPerSecond, overAdmission } from './decisions.ts'
import { underAdmission } from './honest-callers.ts'
import { journalThroughput } from './journal.ts'

const share = Number(flag('share', '1'))
const print = (name: string, figures: object) => console.log(JSON.stringify({ name, ...figures }))

for (const keys of [1, 100, 10_000]) {
  for (const load of [0.9, 3]) print('decisions', { keys, load, ...decisionsPerSecond(keys, load, 3_000_000 * share) })
}
print('over-admission', { decisions: 10_000_000 * share, ...overAdmission(10_000_000 * share) })
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
  print('journal', await journalThroughput((perTurn === 1 ? 100_000 : 500_000) * share, perTurn))
