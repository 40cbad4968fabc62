import { expect, test } from 'vitest'
import { createTestKey } from '../../../src/domain/key.fixture.ts'
import {
  type Fold,
  type FoldedFile,
  type FoldedUse,
  type LedgerColumn,
  openEnd,
  type StoredState,
  type UsageCursor,
  type UsageRow,
} from '../../../src/domain/ledger.ts'
import { newPartnerTerms } from '../../../src/domain/partner.ts'
import type { Engine } from '../../../src/domain/stores.ts'
import { createUsageRow } from '../../../src/domain/usage-row.fixture.ts'
import { everything } from '../../../src/domain/visibility.ts'
import { record } from '../../record.ts'
import { describeEngines, openAgain } from './engines.ts'

const [slotMs, eighthMs, dayMs] = [900_000, 10_800_000, 86_400_000]
const day = 100 * dayMs
const always = { fromMs: 0, toMs: openEnd }
const cursor = (at: string) => at as UsageCursor

const row = (more: Partial<UsageRow> = {}) => createUsageRow(day, more)
const state = (more: Partial<StoredState> = {}): StoredState => ({
  subject: 'k1',
  bucket: 'package',
  windowStartMs: day,
  used: 5,
  tatUs: 0,
  ...more,
})

/** The entry of a ledger that knows no file of the journal: a file that never exists. */
const noFile: FoldedFile = {
  file: 0,
  bytes: 0,
  calls: 0,
  firstMs: Number.POSITIVE_INFINITY,
  lastMs: 0,
  state: 'dropped',
}
const file = (number: number, more: Partial<FoldedFile> = {}): FoldedFile => ({
  file: number,
  bytes: 10,
  calls: 1,
  firstMs: day,
  lastMs: day + 1,
  state: 'present',
  ...more,
})

/** Folds a piece that begins at the present position. */
async function commit({ ledger }: Engine, to: string, piece: Partial<Fold>): Promise<void> {
  const from = await ledger.position()
  const fold = {
    from,
    to: cursor(to),
    files: [],
    rows: [],
    states: [],
    uses: [],
    last: { timeMs: day, shiftMs: 0 },
    ...piece,
  }
  expect(await ledger.commit(fold)).toEqual({ late: 0 })
}

const byKey = (a: UsageRow, b: UsageRow) =>
  a.fromMs - b.fromMs || a.keyId.localeCompare(b.keyId) || a.status - b.status || a.operation.localeCompare(b.operation)
const slots = async ({ ledger }: Engine, query = {}) => (await ledger.slots({ ...always, ...query })).sort(byKey)
const days = async ({ ledger }: Engine, query = {}) => (await ledger.days({ ...always, ...query })).sort(byKey)

describeEngines('ledger', ({ open }) => {
  test('is initially empty', async () => {
    const { ledger } = await open()
    expect(await ledger.last()).toBeUndefined()
    expect(await ledger.readAll()).toEqual({
      position: await ledger.position(),
      others: [],
      slots: [],
      eighths: [],
      days: [],
      states: [],
      files: [noFile],
    })
  })

  test('adds rows by slot and by UTC day, and moves its position', async () => {
    const engine = await open()
    const later = { fromMs: day + eighthMs + slotMs }
    const nextDay = { fromMs: day + dayMs }
    await commit(engine, 'a', { rows: [row(), row({ ...later, units: 4 }), row({ status: 429, units: 0 })] })
    await commit(engine, 'b', {
      rows: [row({ calls: 2, units: 3 }), row(nextDay), row({ versionExplicit: true, billable: false })],
      last: { timeMs: day + 7, shiftMs: -3 },
    })
    expect(await engine.ledger.position()).toBe('b')
    expect(await engine.ledger.last()).toEqual({ timeMs: day + 7, shiftMs: -3 })
    const explicit = row({ versionExplicit: true, billable: false })
    const refused = row({ status: 429, units: 0 })
    expect(await slots(engine)).toEqual(
      expect.arrayContaining([
        row({ calls: 3, units: 4 }),
        explicit,
        refused,
        row({ ...later, units: 4 }),
        row({ ...nextDay }),
      ]),
    )
    expect(await slots(engine)).toHaveLength(5)
    expect(await days(engine)).toEqual(
      expect.arrayContaining([row({ calls: 4, units: 8 }), explicit, refused, row(nextDay)]),
    )
    expect(await days(engine)).toHaveLength(4)
    const { eighths } = await engine.ledger.readAll()
    expect(eighths).toEqual(
      expect.arrayContaining([
        row({ calls: 3, units: 4 }),
        explicit,
        refused,
        row({ fromMs: day + eighthMs, units: 4 }),
        row(nextDay),
      ]),
    )
    expect(eighths).toHaveLength(5)
  })

  test('reads the rows whose span begins in a half-open period, of a key or of a partner', async () => {
    const engine = await open()
    const other = row({ keyId: 'k2', partnerId: 'other' })
    const [second, third] = [row({ fromMs: day + slotMs }), row({ fromMs: day + 2 * slotMs, keyId: 'k3' })]
    await commit(engine, 'a', { rows: [row(), other, second, third] })
    expect(await slots(engine, { fromMs: day + slotMs, toMs: day + 2 * slotMs })).toEqual([second])
    expect(await slots(engine, { keyId: 'k2' })).toEqual([other])
    expect(await slots(engine, { partnerId: 'acme' })).toEqual([row(), second, third])
    expect(await slots(engine, { partnerId: 'other', keyId: 'k1' })).toEqual([])
    expect(await days(engine, { fromMs: day + 1 })).toEqual([])
    expect(await days(engine, { partnerId: 'other', toMs: day + 1 })).toEqual([other])
  })

  test('a fold from another position is stale and changes nothing', async () => {
    const engine = await open()
    const { ledger } = engine
    const from = await ledger.position()
    await commit(engine, 'a', { rows: [row()], states: [state()] })
    const before = await ledger.readAll()
    const last = { timeMs: day + dayMs, shiftMs: 9 }
    const late = {
      from,
      to: cursor('b'),
      files: [],
      rows: [row()],
      states: [state({ subject: 'k2' })],
      uses: [],
      last,
    }
    expect(await ledger.commit(late)).toBe('stale')
    expect(await ledger.readAll()).toEqual(before)
    expect(await ledger.last()).toEqual({ timeMs: day, shiftMs: 0 })
  })

  test('of two processes that fold the same piece, one counts it', async () => {
    const engine = await open()
    const from = await engine.ledger.position()
    const fold: Fold = {
      from,
      to: cursor('a'),
      files: [],
      rows: [row()],
      states: [state()],
      uses: [],
      last: { timeMs: day, shiftMs: 0 },
    }
    const outcomes = await Promise.all([engine, openAgain(engine)].map(({ ledger }) => ledger.commit(fold)))
    expect(outcomes.sort()).toEqual([{ late: 0 }, 'stale'])
    expect(await slots(engine)).toEqual([row()])
    expect(await engine.ledger.states(0)).toEqual([{ ...state(), carried: 0 }])
  })

  test('units of one window add up; a newer window replaces an older one, which has no effect later', async () => {
    const engine = await open()
    const penalty = { firstRefusalUs: 1, promiseUs: 2, strikes: 3, struckUs: 4 }
    await commit(engine, 'a', { states: [state(), state({ bucket: 'search', used: 1 }), state({ subject: 'k2' })] })
    await commit(engine, 'b', { states: [state({ used: 2, tatUs: 77, penalty })] })
    await commit(engine, 'c', { states: [state({ subject: 'k2', windowStartMs: day + dayMs, used: 3 })] })
    await commit(engine, 'd', { states: [state({ subject: 'k2', used: 50 })] })
    const states = await engine.ledger.states(0)
    expect(states).toHaveLength(3)
    expect(states).toEqual(
      expect.arrayContaining([
        { ...state({ used: 7, tatUs: 77, penalty }), carried: 0 },
        { ...state({ bucket: 'search', used: 1 }), carried: 0 },
        { ...state({ subject: 'k2', windowStartMs: day + dayMs, used: 3 }), carried: 0 },
      ]),
    )
  })

  test('returns states that may still have an effect: an open window, a bucket that is not full, a penalty', async () => {
    const engine = await open()
    const penalty = { firstRefusalUs: 1, promiseUs: 2, strikes: 1, struckUs: 4 }
    const nowMs = day + dayMs
    await commit(engine, 'a', {
      states: [
        state({ subject: 'ended' }),
        state({ subject: 'open', windowStartMs: day + 1 }),
        state({ subject: 'filling', tatUs: nowMs * 1000 + 1 }),
        state({ subject: 'penalised', penalty }),
      ],
    })
    const subjects = (await engine.ledger.states(nowMs)).map(({ subject }) => subject).sort()
    expect(subjects).toEqual(['filling', 'open', 'penalised'])
  })

  test('a forgiven penalty does not hide a later one, whose promise is earlier', async () => {
    const engine = await open()
    const { keys, ledger } = engine
    const acme = { id: 'acme', name: 'Acme', ...newPartnerTerms, createdMs: 0, revision: 1 }
    await keys.createPartner(acme, record())
    const own = createTestKey({ id: 'k1', partnerId: 'acme' })
    const shared = createTestKey({ id: 'k2', partnerId: 'acme', agreement: { ...own.agreement, subject: 'partner' } })
    await keys.createKey(own, { digest: Buffer.alloc(32) }, record())
    await keys.createKey(shared, { digest: Buffer.alloc(32, 1) }, record())
    const subjects = ['k1', 'partner/acme']
    const strike = (ms: number, waitMs: number) => ({
      firstRefusalUs: ms * 1000,
      promiseUs: (ms + waitMs) * 1000,
      strikes: 1,
      struckUs: ms * 1000,
    })
    const fold = (to: string, penalty: StoredState['penalty']) =>
      commit(engine, to, { states: subjects.map(subject => ({ ...state({ subject, penalty }), lastUs: 1 })) })
    await fold('a', strike(day, 60_000))
    await keys.forgivePenalty('k1', day + 1, record())
    await keys.forgivePenalty('k2', day + 1, record())
    await fold('b', strike(day + 2000, 1000))
    const penalties = (await ledger.states(0)).map(({ penalty }) => penalty)
    expect(penalties).toEqual(subjects.map(() => strike(day + 2000, 1000)))
  })

  test('sums pieces of all roll-ups by columns, and omits what has no calls', async () => {
    const engine = await open()
    const { ledger } = engine
    expect(await ledger.span()).toBeUndefined()
    const rows = [
      row({ fromMs: day, units: 5 }),
      row({ fromMs: day + eighthMs + slotMs, keyId: 'k2', billable: false, units: 7 }),
      row({ fromMs: day + dayMs, units: 11, partnerId: 'other' }),
      row({ fromMs: day + 2 * dayMs, units: 13, versionExplicit: true }),
    ]
    await commit(engine, 'a', { rows })
    expect(await ledger.span()).toEqual({ fromMs: day, toMs: day + 3 * dayMs })
    const piece = { rollUp: 'days' as const, fromMs: day, toMs: day + dayMs, part: 0, sign: 1 as const }
    const pieces = [
      piece,
      { ...piece, rollUp: 'slots' as const, toMs: day + slotMs, sign: -1 as const },
      // Cancels out.
      { ...piece, rollUp: 'eighths' as const, fromMs: day + eighthMs, toMs: day + 2 * eighthMs },
      { ...piece, rollUp: 'slots' as const, fromMs: day + eighthMs, toMs: day + 2 * eighthMs, sign: -1 as const },
      { ...piece, fromMs: day + dayMs, toMs: day + 3 * dayMs, part: 1 },
    ]
    const sum = async (columns: readonly LedgerColumn[], filter = {}) =>
      (await ledger.sum(pieces, columns, filter)).map(one => [one.part, ...one.columns, one.units, one.billableUnits])
    expect(await sum([])).toEqual([
      [0, 7, 0],
      [1, 24, 24],
    ])
    expect((await sum(['key', 'status', 'partner', 'version', 'operation'])).toSorted()).toEqual([
      [0, 'k2', 200, 'acme', '1', 'getLocation', 7, 0],
      [1, 'k1', 200, 'acme', '1', 'getLocation', 13, 13],
      [1, 'k1', 200, 'other', '1', 'getLocation', 11, 11],
    ])
    expect(await sum([], { keyId: 'k1' })).toEqual([[1, 24, 24]])
    expect(await sum([], { partnerId: 'other' })).toEqual([[1, 11, 11]])
    expect(await sum([], { only: 'billable' })).toEqual([[1, 24, 24]])
    expect(await sum([], { only: 'defaultVersion', partnerId: 'acme' })).toEqual([[0, 7, 0]])
  })

  test('a restart replaces states; what their windows had already is carried', async () => {
    const engine = await open()
    const { ledger } = engine
    await commit(engine, 'a', { rows: [row()], states: [state()], last: { timeMs: day, shiftMs: 500 } })
    await ledger.rebase([state({ windowStartMs: day - 60, used: 4 })], day + 10)
    expect(await ledger.states(0)).toEqual([{ ...state({ windowStartMs: day - 60, used: 4 }), carried: 4 }])
    expect(await ledger.last()).toEqual({ timeMs: day + 10, shiftMs: 0 })
    expect(await ledger.position()).toBe('a')
    await commit(engine, 'b', { states: [state({ windowStartMs: day - 60, used: 2 })] })
    expect(await ledger.states(0)).toEqual([{ ...state({ windowStartMs: day - 60, used: 6 }), carried: 4 }])
    await commit(engine, 'c', { states: [state({ windowStartMs: day + dayMs, used: 1 })] })
    expect(await ledger.states(0)).toEqual([{ ...state({ windowStartMs: day + dayMs, used: 1 }), carried: 0 }])
  })

  test('knows the files of the journal, in ascending order', async () => {
    const engine = await open()
    const { ledger } = engine
    await commit(engine, 'a', { files: [file(12), file(2, { firstMs: 0, lastMs: Number.POSITIVE_INFINITY })] })
    await commit(engine, 'b', { files: [file(12, { bytes: 30, calls: 3 })] })
    await ledger.markFiles([file(2, { state: 'dropped' }), file(7, { state: 'lost' })])
    const files = [noFile, file(2, { state: 'dropped' }), file(7, { state: 'lost' }), file(12, { bytes: 30, calls: 3 })]
    expect(await ledger.files()).toEqual(files)
    expect((await ledger.readAll()).files).toEqual(files)
    expect(await ledger.position()).toBe('b')
  })

  test('a part without records keeps the time of the last one', async () => {
    const engine = await open()
    await commit(engine, 'a', { last: { timeMs: day + 3, shiftMs: 7 } })
    await commit(engine, 'b', { files: [file(3)], last: undefined })
    expect(await engine.ledger.last()).toEqual({ timeMs: day + 3, shiftMs: 7 })
  })

  test('stores the latest use of keys and secrets; an earlier day changes nothing', async () => {
    const engine = await open()
    const { keys } = engine
    await keys.createPartner({ id: 'acme', name: 'Acme', ...newPartnerTerms, createdMs: 0, revision: 1 }, record())
    await keys.createKey(createTestKey({ id: 'k1', partnerId: 'acme' }), { digest: Buffer.alloc(32) }, record())
    const secretId = (await keys.bySecret(Buffer.alloc(32)))!.secretId
    const use = (dayOfUse: string, version: string, latestMs: number): FoldedUse => ({
      keyId: 'k1',
      day: dayOfUse,
      version,
      secrets: [{ id: secretId, calls: 2, latestMs }],
    })
    await commit(engine, 'a', {
      uses: [use('1970-04-11', '2', day), { ...use('1970-04-11', '1', day), keyId: 'gone' }],
    })
    await commit(engine, 'b', { uses: [use('1970-04-10', '1', day - 1)] })
    expect(await keys.key('k1', everything)).toMatchObject({
      lastUse: { day: '1970-04-11', version: '2' },
    })
    expect((await keys.secrets('k1'))[0]).toMatchObject({ calls: 4, lastUsedMs: day })
  })

  test('stores the clock of the process that serves', async () => {
    const { ledger } = await open()
    expect(await ledger.clock()).toBeUndefined()
    for (const boot of [{ id: 'a', us: 5_000_000 }, undefined]) {
      const clock = { startMs: day + 1, boot, behindMs: 40 }
      await ledger.rebase([], day + 2, clock)
      expect(await ledger.clock()).toEqual(clock)
    }
  })

  test('the whole ledger is of one moment while another process folds', async () => {
    const engine = await open()
    const reader = openAgain(engine)
    for (let i = 1; i <= 20; i++) {
      const folding = commit(engine, `${i}`, { rows: [row()], states: [state({ used: 1 })] })
      const { position, slots: bySlot, days: byDay, states } = await reader.ledger.readAll()
      const count = Number(position) || 0
      expect([bySlot, byDay, states].map(([first]) => first === undefined)).toEqual(Array(3).fill(count === 0))
      if (count > 0) expect([bySlot[0]!.calls, byDay[0]!.calls, states[0]!.used]).toEqual([count, count, count])
      await folding
    }
    expect((await reader.ledger.readAll()).slots).toEqual([row({ calls: 20, units: 20 })])
  })
})
