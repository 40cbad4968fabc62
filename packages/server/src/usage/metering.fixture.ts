/**
 * Recovers, then meters calls of one key as fast as it can until it is killed; prints the id and units of each call
 * whose record was written. Its quota is 30,000.
 */
import { writeSync } from 'node:fs'
import { caller, createEffectiveLimits } from '../access/limits.fixture.ts'
import { Limits } from '../access/limits.ts'
import { createTimeline } from '../access/timeline.ts'
import { systemClock } from '../kit/clock.ts'
import { openEngine } from '../store/engine.ts'
import { foldJournal } from './fold.ts'
import { Journal } from './journal.ts'
import { journalIn } from './journal-reader.ts'
import { record } from './records.fixture.ts'
import { recoverStates } from './recover.ts'

const folder = process.argv[2]!
const key = caller('k1')
const bound = createEffectiveLimits({ rate: 1_000_000, quota: 30_000 })
const line = createTimeline({ wallMs: systemClock.nowMs(), monotonicUs: systemClock.monotonicUs() })
const now = () => line.at(systemClock.monotonicUs())

const { ledger } = openEngine({ kind: 'sqlite', folder }, { create: true })
const limits = new Limits()
const journal = new Journal(folder, { rotateBytes: 100_000 })
const { states, last } = await recoverStates(journalIn(folder), ledger, systemClock.nowMs())
await ledger.rebase(limits.restore(states, now(), last), systemClock.nowMs())
setInterval(() => void foldJournal(journalIn(folder), ledger), 10)
writeSync(1, `started-${process.pid} 0\n`)

let made = 0
async function calls(): Promise<void> {
  for (;;) {
    const nowUs = now()
    const units = 1 + (++made % 3)
    const requestId = `${process.pid}-${made}`
    const outcome = limits.admit(key, bound, 'package', nowUs)
    const served = !outcome.refused && !outcome.charge(units, nowUs)
    const written = await journal.append(
      record({
        requestId,
        timeMs: systemClock.nowMs(),
        units: served ? units : 0,
        status: served ? 200 : 429,
        marks: limits.marks(key, bound, 'package', nowUs),
      }),
    )
    if (served && written === 'written') writeSync(1, `${requestId} ${units}\n`)
  }
}

await Promise.all(Array.from({ length: 8 }, calls))
