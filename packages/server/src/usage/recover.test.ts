import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { linesUntilKilled } from '../../test/kills.ts'
import { caller, createEffectiveLimits, dayUs, secondUs, someTimeUs } from '../access/limits.fixture.ts'
import { Limits } from '../access/limits.ts'
import { type Ledger, openEnd } from '../domain/ledger.ts'
import { getSubject } from '../domain/limit-subject.ts'
import type { Engine } from '../domain/stores.ts'
import { openEngine } from '../store/engine.ts'
import { checkLedger } from './check-ledger.ts'
import { foldJournal } from './fold.ts'
import { Journal } from './journal.ts'
import { journalIn } from './journal-reader.ts'
import { readLedgerCheckInput } from './read-ledger-check.ts'
import { record } from './records.fixture.ts'
import { recoverStates } from './recover.ts'
import { buildReport } from './report.ts'

let folder: string
let engine: Engine
let ledger: Ledger
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'periplus-recover-'))
  engine = openEngine({ kind: 'sqlite', folder }, { create: true })
  ledger = engine.ledger
})
afterEach(async () => {
  await engine.close()
  rmSync(folder, { recursive: true })
})

const bound = createEffectiveLimits({ rate: 3, quota: 500 })
const callers = [caller('k1'), caller('k2'), caller('k3', 'acme'), caller('k4', 'acme')]

/** A serving process: every call is admitted or refused, charged and journalled. */
class Serving {
  readonly limits = new Limits()
  readonly journal = new Journal(folder, { rotateBytes: 30_000 })

  async call(who: (typeof callers)[number], bucket: 'package' | 'search', units: number, nowUs: number, shiftMs = 0) {
    const outcome = this.limits.admit(who, bound, bucket, nowUs)
    const refused = outcome.refused ? outcome : outcome.charge(units, nowUs)
    await this.journal.append(
      record({
        timeMs: Math.floor(nowUs / 1000) + shiftMs,
        shiftMs,
        keyId: who.id,
        subject: getSubject(who),
        units: refused ? 0 : units,
        status: refused ? 429 : 200,
        refusedBy: refused?.refused ?? [],
        marks: this.limits.marks(who, bound, bucket, nowUs),
      }),
    )
  }

  states(nowUs: number) {
    return [...this.limits.states(nowUs)].sort((a, b) => (a.bucket + a.subject < b.bucket + b.subject ? -1 : 1))
  }
}

async function start(nowUs: number): Promise<Serving> {
  const serving = new Serving()
  const nowMs = Math.floor(nowUs / 1000)
  const { states, last } = await recoverStates(journalIn(folder), ledger, nowMs)
  await ledger.rebase(serving.limits.restore(states, nowUs, last), nowMs)
  return serving
}

describe('a restart', () => {
  it('restores all states after each of 20 restarts, regardless of the folded part', async () => {
    let serving = await start(someTimeUs)
    let nowUs = someTimeUs
    let calls = 0
    for (let restart = 0; restart < 20; restart++) {
      for (let i = 0; i < 40; i++) {
        nowUs += [0, 1000, 5_000, 300_000, 700_000, 3 * secondUs][(calls * 7 + restart) % 6]!
        if (calls % 331 === 0) nowUs += dayUs / 3
        await serving.call(callers[calls % 4]!, calls % 3 === 0 ? 'search' : 'package', (calls * 5) % 13, nowUs)
        calls++
        if (calls % 17 === 0) await foldJournal(journalIn(folder), ledger)
      }
      const before = serving.states(nowUs)
      // Close nothing, as after a kill.
      serving = await start(nowUs)
      expect(serving.states(nowUs)).toEqual(before)
    }
    expect(checkLedger(await readLedgerCheckInput(journalIn(folder), ledger))).toEqual([])
    expect(buildReport(await ledger.slots({ fromMs: 0, toMs: openEnd }), []).calls).toBe(calls)
  })

  it('does not shorten windows if the wall clock is stepped an hour in either direction, and the check finds nothing', async () => {
    for (const [i, hours] of [1, -1].entries()) {
      const startUs = someTimeUs + i * 10 * dayUs
      const first = await start(startUs)
      await first.call(callers[0]!, 'package', 40, startUs)
      // The wall clock is stepped; the timeline of the process is not.
      await first.call(callers[0]!, 'package', 2, startUs + secondUs, hours * 3_600_000)
      const nowUs = startUs + hours * 3600 * secondUs + 2 * secondUs
      const second = await start(nowUs)
      expect(second.states(nowUs)).toMatchObject([
        { used: 42, windowStartMs: Math.floor(startUs / 1000) + hours * 3_600_000 },
      ])
      await second.call(callers[0]!, 'package', 8, nowUs)
      const third = await start(nowUs + secondUs)
      expect(third.states(nowUs + secondUs)).toMatchObject([{ used: 50 }])
      expect(checkLedger(await readLedgerCheckInput(journalIn(folder), ledger))).toEqual([])
    }
  })

  it('accepts a data folder from the future', async () => {
    const first = await start(someTimeUs + 30 * dayUs)
    await first.call(callers[0]!, 'package', 40, someTimeUs + 30 * dayUs)
    const second = await start(someTimeUs)
    await second.call(callers[0]!, 'package', 10, someTimeUs)
    const third = await start(someTimeUs + secondUs)
    expect(third.states(someTimeUs + secondUs)).toMatchObject([
      { used: 50, windowStartMs: Math.floor(someTimeUs / 1000) },
    ])
    expect(checkLedger(await readLedgerCheckInput(journalIn(folder), ledger))).toEqual([])
  })
})

describe('kill -9 of a process that meters', () => {
  const kills = Number(process.env.PERIPLUS_KILLS ?? 3)
  const metering = join(import.meta.dirname, 'metering.fixture.ts')

  it(`loses no acknowledged unit, counts none twice, and never exceeds a quota, over ${kills} kills`, {
    timeout: 0,
  }, async () => {
    const acknowledged = new Map<string, number>()
    for (let kill = 0; kill < kills; kill++) {
      for (const line of await linesUntilKilled(1 + ((211 * kill) % 1500), metering, folder)) {
        const [id = '', units = ''] = line.split(' ')
        expect(acknowledged.has(id)).toBe(false)
        acknowledged.set(id, Number(units))
      }
    }
    await foldJournal(journalIn(folder), ledger)
    const { units } = buildReport(await ledger.slots({ fromMs: 0, toMs: openEnd }), [])
    const answered = [...acknowledged.values()].reduce((a, b) => a + b, 0)
    expect(units).toBeGreaterThanOrEqual(answered)
    // Only calls in flight at a kill may be counted without an acknowledgement: 8 callers, up to 3 units.
    expect(units - answered).toBeLessThanOrEqual(kills * 8 * 3)
    const [state] = await ledger.states(0)
    expect(state?.used).toBe(units)
    expect(state?.used).toBeLessThanOrEqual(30_000)
    expect(checkLedger(await readLedgerCheckInput(journalIn(folder), ledger))).toEqual([])
  })
})
