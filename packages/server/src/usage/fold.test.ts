import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { programKilledAt } from '../../test/kills.ts'
import { type Ledger, type LedgerContents, openEnd } from '../domain/ledger.ts'
import type { Engine } from '../domain/stores.ts'
import type { UsageRecord } from '../domain/usage.ts'
import { openEngine } from '../store/engine.ts'
import { checkLedger } from './check-ledger.ts'
import { foldJournal } from './fold.ts'
import { Journal } from './journal.ts'
import { journalPath, listJournalSync } from './journal-files.ts'
import { formatCursor, journalStart, parseCursor } from './journal-position.ts'
import { journalIn } from './journal-reader.ts'
import { sumUsage } from './query.ts'
import { readLedgerCheckInput } from './read-ledger-check.ts'
import { record, someTimeMs } from './records.fixture.ts'
import { buildReport } from './report.ts'

let folder: string
let engine: Engine
let ledger: Ledger
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'periplus-fold-'))
  engine = openEngine({ kind: 'sqlite', folder }, { create: true })
  ledger = engine.ledger
})
afterEach(async () => {
  await engine.close()
  rmSync(folder, { recursive: true })
})

const always = { fromMs: 0, toMs: openEnd }
const hourMs = 3_600_000

async function write(records: readonly UsageRecord[], perTurn = 7): Promise<void> {
  const journal = new Journal(folder, { rotateBytes: 20_000 })
  for (let i = 0; i < records.length; i += perTurn) {
    await Promise.all(records.slice(i, i + perTurn).map(r => journal.append(r)))
  }
  await journal.close()
}

/** Calls of three keys over some hours, some of them refused or unbilled. */
const variety = (count: number): UsageRecord[] =>
  Array.from({ length: count }, (_, i) =>
    record({
      timeMs: someTimeMs + i * 60_000,
      keyId: `k${i % 3}`,
      subject: i % 3 === 2 ? 'partner/acme' : `k${i % 3}`,
      operation: i % 2 === 0 ? 'getLocation' : 'getLocations',
      units: i % 5 === 0 ? 0 : i % 2 === 0 ? 1 : i % 11,
      status: i % 5 === 0 ? 429 : 200,
      refusedBy: i % 5 === 0 ? ['rate'] : [],
      billable: i % 3 !== 1,
      versionExplicit: i % 4 === 0,
    }),
  )

const expectAllCounted = async (records: readonly UsageRecord[]) => {
  const { calls, units } = buildReport(await ledger.slots(always), [])
  expect({ calls, units }).toEqual({ calls: records.length, units: records.reduce((sum, r) => sum + r.units, 0) })
  expect(checkLedger(await readLedgerCheckInput(journalIn(folder), ledger))).toEqual([])
}

describe('folding', () => {
  it('sums by key, operation, version, status and slot, and again by day', async () => {
    const records = variety(500)
    await write(records)
    expect((await foldJournal(journalIn(folder), ledger, { recordsPerCommit: 100 })).records).toBe(500)
    await expectAllCounted(records)
    const days = buildReport(await ledger.days(always), ['day'])
    expect(days.rows).toEqual([{ day: '2026-03-04', calls: 500, units: days.units, billableUnits: days.billableUnits }])
    const own = records.filter(r => r.keyId === 'k1' && r.operation === 'getLocations' && r.status === 200)
    const [line] = buildReport(await ledger.slots({ ...always, keyId: 'k1' }), ['operation', 'status']).rows.filter(
      row => row.operation === 'getLocations' && row.status === 200,
    )
    expect(line).toMatchObject({ calls: own.length, units: own.reduce((sum, r) => sum + r.units, 0), billableUnits: 0 })
  })

  it('does nothing the second time and continues from its position', async () => {
    const records = variety(60)
    await write(records.slice(0, 25))
    await foldJournal(journalIn(folder), ledger)
    expect((await foldJournal(journalIn(folder), ledger)).records).toBe(0)
    await write(records.slice(25))
    await foldJournal(journalIn(folder), ledger)
    await expectAllCounted(records)
  })

  it('counts every call once, also if it is stopped between steps', async () => {
    const records = variety(300)
    await write(records)
    let stops = 0
    for (;;) {
      // Alternates: stop before a commit, stop after a commit whose result is lost, do not stop.
      const flaky: Ledger = {
        ...ledger,
        commit: async fold => {
          stops++
          if (stops % 3 === 0) throw new Error('stopped before')
          const outcome = await ledger.commit(fold)
          if (stops % 3 === 1) throw new Error('stopped after')
          return outcome
        },
      }
      try {
        await foldJournal(journalIn(folder), flaky, { recordsPerCommit: 10 })
        break
      } catch {}
    }
    expect(stops).toBeGreaterThan(20)
    await expectAllCounted(records)
  })

  it('stops if another fold was faster', async () => {
    await write(variety(50))
    const late = { ...ledger, position: async () => formatCursor(journalStart) }
    await foldJournal(journalIn(folder), ledger)
    expect((await foldJournal(journalIn(folder), late)).records).toBe(0)
    expect(buildReport(await ledger.slots(always), []).calls).toBe(50)
  })

  it('counts every call once if the folding process is killed', async () => {
    const records = variety(1000)
    await write(records, 50)
    const folding = join(import.meta.dirname, 'folder.fixture.ts')
    for (const commits of [1, 2, 5, 9]) {
      const { file, offset } = parseCursor(await ledger.position())
      await programKilledAt(`commit control.sqlite#${commits}`, folding, folder)
      const after = parseCursor(await ledger.position())
      expect(after.file > file || after.offset > offset).toBe(commits > 1)
    }
    await foldJournal(journalIn(folder), ledger)
    await expectAllCounted(records)
  })

  it('keeps the latest window of a subject with all its units', async () => {
    const mark = (windowStartMs: number) => ({ marks: [{ bucket: 'package' as const, windowStartMs, tatUs: 0 }] })
    const [first, second] = [someTimeMs, someTimeMs + 25 * hourMs]
    await write([record({ ...mark(first), units: 5 }), record({ ...mark(second), units: 3 })])
    await foldJournal(journalIn(folder), ledger)
    // A slow call of the first window and refusals without a window do not change the second window.
    await write([
      record({ ...mark(first), units: 9 }),
      record({ ...mark(0), units: 0 }),
      record({ ...mark(second), units: 4 }),
    ])
    await foldJournal(journalIn(folder), ledger)
    expect(await ledger.states(0)).toMatchObject([{ subject: 'k1', windowStartMs: second, used: 7, carried: 0 }])
  })
})

describe('usage of a span of time', () => {
  it('is exact at both ends, folded or not', async () => {
    const records = variety(400)
    await write(records.slice(0, 250))
    await foldJournal(journalIn(folder), ledger)
    await write(records.slice(250))
    const cuts = [0, 1, 59_999, 60_000, hourMs, 90 * 60_000, 300 * 60_000, 399 * 60_000]
    for (const from of cuts) {
      for (const to of cuts.filter(cut => cut >= from)) {
        const [fromMs, toMs] = [someTimeMs + from, someTimeMs + to]
        const expected = records.filter(r => r.timeMs >= fromMs && r.timeMs < toMs && r.keyId === 'k0')
        const { calls, units } = await sumUsage(journalIn(folder), ledger, { fromMs, toMs, keyId: 'k0' })
        expect({ calls, units }).toEqual({
          calls: expected.length,
          units: expected.reduce((sum, r) => sum + r.units, 0),
        })
      }
    }
    expect((await sumUsage(journalIn(folder), ledger, always)).calls).toBe(400)
  })
})

/** Name of a journal file, as problems have it. */
const inFolder = (number: number) => join(basename(folder), basename(journalPath('', number)))

describe('the check', () => {
  /** Returns the problems of a ledger that differs from what was folded. */
  const problemsAfter = async (
    change: (contents: LedgerContents) => Partial<LedgerContents>,
    records: readonly UsageRecord[] = variety(30),
  ) => {
    await write(records)
    await foldJournal(journalIn(folder), ledger)
    const readAll = async () => {
      const stored = await ledger.readAll()
      return { ...stored, ...change(stored) }
    }
    return checkLedger(await readLedgerCheckInput(journalIn(folder), { ...ledger, readAll })).map(
      ({ problem }) => problem,
    )
  }

  it('finds a changed roll-up', async () => {
    const problems = await problemsAfter(({ slots }) => ({
      slots: slots.map(row => (row.keyId === 'k0' && row.status === 429 ? { ...row, units: row.units + 1 } : row)),
    }))
    expect(problems.length).toBeGreaterThan(0)
    expect(problems[0]).toMatch(/^Key k0, getLocations?, status 429, from 2026-03-04T05:00.*: the journal has/)
  })

  it('accepts slots of ledgers whose hours were not divided', async () => {
    const toHour = (ms: number) => ms - (ms % hourMs)
    const records = variety(30).map(one => ({ ...one, timeMs: one.timeMs + 5 * hourMs }))
    const starts = new Set<number>()
    const undivide = ({ slots }: LedgerContents) => {
      for (const { fromMs } of slots) starts.add(fromMs % hourMs)
      return { slots: slots.map(one => ({ ...one, fromMs: toHour(one.fromMs) })) }
    }
    expect(await problemsAfter(undivide, records)).toEqual([])
    expect(starts).toEqual(new Set([0, hourMs / 4]))
  })

  it('finds a roll-up by day that differs', async () => {
    expect(await problemsAfter(({ days }) => ({ days: days.map(row => ({ ...row, calls: 0 })) }))).not.toEqual([])
  })

  it('finds a window that differs', async () => {
    const problems = await problemsAfter(({ states }) => ({
      states: states.map(state => (state.subject === 'partner/acme' ? { ...state, used: 1 } : state)),
    }))
    expect(problems).toEqual([
      expect.stringMatching(
        /^The package window of partner\/acme that opened 2026-03-04T.* holds 1 units; the journal has \d+\.$/,
      ),
    ])
  })

  it('finds a call that was journalled twice, a lost file, and damage', async () => {
    const twice = record()
    await write([twice, ...variety(300)])
    await write([twice])
    await foldJournal(journalIn(folder), ledger)
    rmSync(journalPath(folder, 2))
    const problems = checkLedger(await readLedgerCheckInput(journalIn(folder), ledger))
    expect(problems).toEqual([
      {
        file: inFolder(2),
        problem: expect.stringMatching(/^File 2 of the journal is missing\. The ledger has read \d+ bytes/),
      },
      {
        file: inFolder(listJournalSync(folder).at(-1)!.number),
        problem: `The journal contains call ${twice.requestId} twice. It is counted once.`,
      },
    ])
  })
})
