import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CallQuery, InvalidCursor, type LoggedCall, type RequestLogWriter } from '../domain/request-log.ts'
import type { Engine } from '../domain/stores.ts'
import type { UsageRecord } from '../domain/usage.ts'
import { createRandom } from '../kit/random.ts'
import { openEngine } from '../store/engine.ts'
import { RequestLogFill } from './fill-request-log.ts'
import { foldJournal } from './fold.ts'
import { Journal } from './journal.ts'
import { formatCursor } from './journal-position.ts'
import { journalIn } from './journal-reader.ts'
import { record, someTimeMs } from './records.fixture.ts'
import { applyRetention } from './retention.ts'

let folder: string
let engine: Engine
let log: RequestLogWriter
let replaced: string[]
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'periplus-request-log-'))
  replaced = []
  engine = openEngine(
    { kind: 'sqlite', folder },
    { create: true, onReplaced: ({ file }) => replaced.push(file.slice(folder.length)) },
  )
  log = await engine.openRequestLogWriter()
})
afterEach(async () => {
  await log.close()
  await engine.close()
  rmSync(folder, { recursive: true })
})

const dayMs = 86_400_000
const file = () => join(folder, 'requests.sqlite')

async function write(records: readonly UsageRecord[]): Promise<void> {
  const journal = new Journal(folder, { rotateBytes: 8000, known: await engine.ledger.files() })
  for (let i = 0; i < records.length; i += 100) await Promise.all(records.slice(i, i + 100).map(r => journal.append(r)))
  await journal.close()
}

const fill = (options: { nowMs?: number; keepMs?: number; maxBytes?: number } = {}) => {
  const { nowMs = someTimeMs + dayMs, ...bounds } = options
  return new RequestLogFill({
    journal: journalIn(folder),
    ledger: engine.ledger,
    log,
    nowMs: () => nowMs,
    keepMs: 14 * dayMs,
    maxBytes: 1e9,
    ...bounds,
  }).run()
}

let made = 0
/** A request id of a UUIDv7 with the given time. */
const idAt = (ms: number) => {
  const hex = ms.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${String(++made).padStart(12, '0')}`
}

const call = (at: number, of: Partial<UsageRecord> = {}) =>
  record({ requestId: idAt(someTimeMs + at), timeMs: someTimeMs + at + 3, ...of })

const refused = {
  code: 'rate_limited',
  fields: [],
  policies: ['"search";q=5;w=5'],
  keyRevision: 4,
  retryAfterS: 12,
  cost: 3,
} as const

/** Calls of three keys of two partners, some of them at the same time. */
const variety = (count: number): UsageRecord[] =>
  Array.from({ length: count }, (_, i) =>
    call(Math.floor(i / 4) * 1000, {
      keyId: `k${i % 3}`,
      partnerId: i % 3 === 2 ? 'globex' : 'acme',
      operation: i % 2 === 0 ? 'getLocation' : 'searchLocations',
      ...(i % 5 === 0 && { status: 429, units: 0, refusedBy: ['search'], fault: refused }),
    }),
  )

const byNewest = (a: { timeMs: number; requestId: string }, b: { timeMs: number; requestId: string }) =>
  b.timeMs - a.timeMs || (a.requestId < b.requestId ? 1 : -1)

/** Reads all pages, and returns the ids. */
async function listIds(query: Partial<CallQuery> = {}): Promise<string[]> {
  const ids: string[] = []
  let after: string | undefined
  do {
    const page = await engine.requests.list({ visibility: { all: true }, limit: 7, ...query, after })
    ids.push(...page.rows.map(({ requestId }) => requestId))
    after = page.next
  } while (after !== undefined)
  return ids
}

const expected = (records: readonly UsageRecord[], matches: (r: UsageRecord) => boolean = () => true) =>
  records
    .filter(matches)
    .sort(byNewest)
    .map(({ requestId }) => requestId)

describe('the request log', () => {
  it('is empty before the first call', async () => {
    expect(await listIds()).toEqual([])
    expect(await engine.requests.countedToMs()).toBeUndefined()
    expect(await engine.requests.find(idAt(someTimeMs), { all: true })).toBeUndefined()
  })

  it('has the second with the most admitted calls of each subject, however often a call is read', async () => {
    const at = (ms: number, of: Partial<UsageRecord> = {}) => call(ms, { keyId: 'k1', subject: 'k1', ...of })
    const search = [{ bucket: 'search' as const, windowStartMs: someTimeMs, tatUs: 0 }]
    const missing = { code: 'location_unknown', fields: [], policies: [], keyRevision: 1 } as const
    const secondMs = someTimeMs - (someTimeMs % 1000)
    const inSecond = (second: number, of?: Partial<UsageRecord>) => at(secondMs - someTimeMs + second * 1000, of)
    const early = [inSecond(1), inSecond(1), inSecond(1, { status: 404, fault: missing })]
    const peaks = () => engine.requests.peakRates({ subjects: ['k1', 'partner/acme'], fromMs: someTimeMs - dayMs })
    const peakOf = (subject: string, bucket: string, second: number, calls: number) => ({
      subject,
      bucket,
      secondMs: secondMs + second * 1000,
      calls,
    })
    await write([...early, inSecond(3, { marks: search })])
    await fill()
    expect(await peaks()).toEqual([peakOf('k1', 'search', 3, 1), peakOf('k1', 'package', 1, 3)])
    // Calls that were refused do not count, calls of another batch in the same second do, repeated ones only once.
    await write([
      ...early,
      inSecond(2, { status: 429, refusedBy: ['package'], fault: refused }),
      ...Array.from({ length: 4 }, () => inSecond(2, { status: 429, refusedBy: ['package'], fault: refused })),
      inSecond(3, { marks: search }),
      inSecond(2, { subject: 'partner/acme', keyId: 'k2' }),
      inSecond(2, { subject: 'partner/acme', keyId: 'k3' }),
    ])
    await fill()
    const expectedPeaks = [
      peakOf('partner/acme', 'package', 2, 2),
      peakOf('k1', 'search', 3, 2),
      peakOf('k1', 'package', 1, 3),
    ]
    expect(await peaks()).toEqual(expectedPeaks)
    rmSync(file())
    await fill()
    expect(await peaks()).toEqual(expectedPeaks)
    expect(await engine.requests.peakRates({ subjects: ['k1'], fromMs: someTimeMs + dayMs })).toEqual([])
  })

  it('lists the calls of the journal, newest first, by every filter and of visible partners alone', async () => {
    const records = variety(200)
    await write(records)
    await fill()
    const filters: [Partial<CallQuery>, (r: UsageRecord) => boolean][] = [
      [{}, () => true],
      [{ visibility: { partnerId: 'acme' } }, r => r.partnerId === 'acme'],
      [{ visibility: { partnerId: 'initech' } }, () => false],
      [{ keyId: 'k1' }, r => r.keyId === 'k1'],
      [{ keyId: 'k2', visibility: { partnerId: 'acme' } }, () => false],
      [{ status: 429 }, r => r.status === 429],
      [{ statusFrom: 400, statusTo: 499, keyId: 'k0' }, r => r.status === 429 && r.keyId === 'k0'],
      [{ status: 200 }, r => r.status === 200],
      [{ operation: 'searchLocations' }, r => r.operation === 'searchLocations'],
      [{ fault: 'rate_limited' }, r => r.status === 429],
      [{ fault: 'forbidden' }, () => false],
      [
        { fromMs: someTimeMs + 9003, toMs: someTimeMs + 30_003 },
        r => r.timeMs >= someTimeMs + 9003 && r.timeMs < someTimeMs + 30_003,
      ],
    ]
    for (const [query, matches] of filters)
      expect([query, await listIds(query)]).toEqual([query, expected(records, matches)])
    expect(await listIds({ limit: 50 })).toEqual(expected(records))
  })

  it('finds a call by its id, with all that explains it', async () => {
    const marks = [
      {
        bucket: 'search' as const,
        windowStartMs: 0,
        tatUs: 0,
        penalty: { firstRefusalUs: 1, promiseUs: 2, strikes: 3, struckUs: 4 },
      },
    ]
    const fault = { ...refused, policies: ['"penalty"'], fields: ['lat', 'lon'] }
    const one = call(5, { status: 429, units: 0, refusedBy: ['penalty'], fault, marks, versionExplicit: true })
    await write([call(4), one, call(6, { status: 404, units: 0, refusedBy: ['old'] })])
    await fill()
    const found: LoggedCall = {
      requestId: one.requestId,
      partnerId: 'acme',
      keyId: 'k1',
      timeMs: one.timeMs,
      operation: 'getLocation',
      version: '1',
      versionExplicit: true,
      status: 429,
      units: 0,
      durationUs: 431,
      fault: 'rate_limited',
      fields: ['lat', 'lon'],
      policies: ['"penalty"'],
      keyRevision: 4,
      retryAfterS: 12,
      cost: 3,
      strikes: 3,
    }
    expect(await engine.requests.find(one.requestId, { all: true })).toEqual(found)
    expect(await engine.requests.find(one.requestId.toUpperCase(), { partnerId: 'acme' })).toEqual(found)
    expect(await engine.requests.find(one.requestId, { partnerId: 'globex' })).toBeUndefined()
    for (const id of [idAt(someTimeMs), '', 'x', `${one.requestId}0`, "' OR 1=1 --"])
      expect(await engine.requests.find(id, { all: true })).toBeUndefined()
    const [older] = (await engine.requests.list({ visibility: { all: true }, status: 404, limit: 1 })).rows
    expect(older).toMatchObject({ policies: ['old'], fields: [] })
    expect(older).not.toHaveProperty('fault')
  })

  it('refuses a text that is not a cursor', async () => {
    for (const after of ['', '0', 'x-y', `zzzzzzzzzzz-${'A'.repeat(22)}`, "1-'; DROP TABLE calls"])
      await expect(engine.requests.list({ visibility: { all: true }, limit: 1, after })).rejects.toThrow(InvalidCursor)
  })

  it('contains each call once and says how far it counts, whatever was filled before', async () => {
    const records = variety(90)
    await write(records.slice(0, 30))
    expect(await fill({ nowMs: someTimeMs + 50_000 })).toBe(30)
    expect(await engine.requests.countedToMs()).toBe(someTimeMs + 50_000)
    // The journal has some calls twice, and another writer fills the log as well.
    await write([...records.slice(20, 60), ...records.slice(60)])
    await fill()
    await fill()
    expect(await listIds()).toEqual(expected(records))
  })

  it('lists and finds calls in any order of time, which the journal repeats, over gaps of hours', async () => {
    const random = createRandom(7)
    const calls = Array.from({ length: 1500 }, (_, i) => {
      const at = Math.floor(i / 3) * 5 + Math.floor(i / 500) * 5_000_000 - Math.floor(random() * 400)
      const outcome = [{}, { units: 7 }, { status: 304, units: 0 }, { status: 404, units: 0 }][Math.floor(random() * 4)]
      const operation = ['getLocation', 'listReviews', 'searchLocations'][Math.floor(random() ** 6 * 3)]!
      const keyId = `k${Math.floor(random() * 2)}`
      return call(at, { keyId, operation, durationUs: Math.floor(random() * 2 ** 32), ...outcome })
    })
    for (let i = 0; i < calls.length; i += 250) {
      await write([...calls.slice(i, i + 250), ...calls.slice(Math.max(0, i - 100), i + 150)])
      await fill()
    }
    const [fromMs, toMs] = [someTimeMs + 500, someTimeMs + 5_000_700]
    const filters: [Partial<CallQuery>, (r: UsageRecord) => boolean][] = [
      [{}, () => true],
      [{ keyId: 'k1' }, r => r.keyId === 'k1'],
      [{ statusFrom: 200, statusTo: 299 }, r => r.status === 200],
      [{ status: 304, keyId: 'k0' }, r => r.status === 304 && r.keyId === 'k0'],
      [{ fromMs, toMs }, r => r.timeMs >= fromMs && r.timeMs < toMs],
      [{ operation: 'searchLocations' }, r => r.operation === 'searchLocations'],
      [
        { operation: 'listReviews', statusFrom: 200, statusTo: 404, fromMs, toMs },
        r => r.operation === 'listReviews' && r.timeMs >= fromMs && r.timeMs < toMs,
      ],
      [
        { operation: 'getLocation', keyId: 'k1', status: 404 },
        r => r.operation === 'getLocation' && r.keyId === 'k1' && r.status === 404,
      ],
    ]
    for (const [query, matches] of filters)
      expect([query, await listIds({ ...query, limit: 90 })]).toEqual([query, expected(calls, matches)])
    for (const one of calls.filter((_, i) => i % 25 === 0)) {
      const { requestId, timeMs, keyId, status, units, durationUs } = one
      const found = await engine.requests.find(requestId, { all: true })
      expect(found).toMatchObject({ requestId, timeMs, keyId, status, units, durationUs })
    }
    const sinceMs = someTimeMs + 5_000_600
    await fill({ nowMs: sinceMs + dayMs, keepMs: dayMs })
    for (const [query, matches] of filters)
      expect([query, await listIds({ ...query, limit: 90 })]).toEqual([
        query,
        expected(calls, r => r.timeMs >= sinceMs && matches(r)),
      ])
  })

  it('deletes a bounded number of batches in a round, and continues in the next', async () => {
    let left = 1000
    let batches = 0
    const prune = async () => {
      batches++
      return --left > 0
    }
    const bounds = { keepMs: dayMs, maxBytes: 1e9 }
    const round = new RequestLogFill({
      journal: journalIn(folder),
      ledger: engine.ledger,
      log: { ...log, prune },
      nowMs: () => someTimeMs,
      ...bounds,
    })
    await round.run()
    expect(batches).toBeLessThan(500)
    for (let i = 0; i < 3; i++) await round.run()
    expect(batches).toBe(1000)
  })

  it.each(['deleted', 'deleted without its companions', 'damaged'])(
    'is filled again after the file was %s',
    async how => {
      const records = variety(120)
      await write(records)
      await fill()
      if (how !== 'damaged') expect(await listIds()).toHaveLength(120)
      if (how === 'damaged') {
        await log.close()
        writeFileSync(file(), 'not a database, but long enough to be read as one'.repeat(100))
      } else {
        const names = readdirSync(folder).filter(name => name.startsWith('requests.sqlite'))
        for (const name of how === 'deleted' ? names : ['requests.sqlite']) rmSync(join(folder, name))
        expect(await listIds()).toEqual([])
      }
      await write([call(500_000)])
      await fill()
      expect(await listIds()).toHaveLength(121)
      expect((await listIds()).slice(1)).toEqual(expected(records))
      expect(replaced).toEqual(how === 'damaged' ? ['/requests.sqlite'] : [])
    },
  )

  it('is filled again, and the old file deleted, after another release made it', async () => {
    const records = variety(120)
    await write(records)
    await fill()
    expect(await listIds()).toHaveLength(120)
    await log.close()
    const db = new Database(file())
    db.pragma('user_version = 2')
    db.close()
    await fill()
    expect(await listIds()).toEqual(expected(records))
    expect(readdirSync(folder).filter(name => name.includes('damaged'))).toEqual([])
    expect(replaced).toEqual([])
  })

  it('is filled again from compressed files, and without calls that are too old', async () => {
    const records = variety(600)
    await write(records)
    await foldJournal(journalIn(folder), engine.ledger)
    await applyRetention(folder, { foldedUpTo: formatCursor({ file: 1000, offset: 0 }), nowMs: someTimeMs })
    expect(readdirSync(folder).filter(name => name.endsWith('.zst')).length).toBeGreaterThan(3)
    const sinceMs = someTimeMs + 100_000
    await fill({ nowMs: sinceMs + dayMs, keepMs: dayMs })
    expect(await listIds()).toEqual(expected(records, r => r.timeMs >= sinceMs))
    expect(await fill()).toBe(0)
  })

  it('is filled from a file that had no calls when the log was created', async () => {
    const journal = new Journal(folder, { known: await engine.ledger.files() })
    const file = {
      file: 1,
      bytes: 0,
      calls: 0,
      firstMs: Number.POSITIVE_INFINITY,
      lastMs: 0,
      state: 'present',
    } as const
    await engine.ledger.markFiles([file])
    await fill()
    await journal.append(call(0))
    await journal.close()
    expect(await fill()).toBe(1)
  })

  it('is filled from the newest file, whose calls so far may all be too old', async () => {
    const journal = new Journal(folder, { known: await engine.ledger.files() })
    await journal.append(call(0))
    await foldJournal(journalIn(folder), engine.ledger)
    await fill({ nowMs: someTimeMs + 20 * dayMs })
    await journal.append(call(20 * dayMs))
    await journal.close()
    expect(await fill({ nowMs: someTimeMs + 21 * dayMs })).toBe(1)
  })

  it('deletes what is too old', async () => {
    const records = variety(300)
    await write(records)
    await fill()
    const sinceMs = someTimeMs + 40_000
    await fill({ nowMs: sinceMs + dayMs, keepMs: dayMs })
    expect(await listIds()).toEqual(expected(records, r => r.timeMs >= sinceMs))
  })

  it('deletes the oldest calls above its maximum size, and shrinks', async () => {
    const records = Array.from({ length: 8000 }, (_, i) => call(i * 10, { keyId: `k${i % 5}` }))
    await write(records)
    await fill()
    await log.close()
    const size = statSync(file()).size
    expect(size).toBeGreaterThan(280_000)
    await fill({ maxBytes: 200_000 })
    await log.close()
    expect(statSync(file()).size).toBeLessThan(230_000)
    const left = await listIds({ limit: 200 })
    expect(left.length).toBeGreaterThan(2000)
    expect(left).toEqual(expected(records).slice(0, left.length))
  })

  it('adds refusals before metering by key, hour, code and version', async () => {
    const hour = { keyId: 'k1', partnerId: 'acme', hourMs: 0, code: 'key_revoked', version: '1', calls: 2, lastMs: 5 }
    await log.addRefusals([hour, { ...hour, keyId: 'k2', partnerId: 'globex' }])
    await log.addRefusals([
      { ...hour, calls: 3, lastMs: 4 },
      { ...hour, hourMs: 3_600_000, code: 'version_unknown', version: '' },
    ])
    const all = await engine.requests.refusals({ visibility: { all: true }, limit: 10 })
    const latest = { ...hour, hourMs: 3_600_000, code: 'version_unknown', version: '' }
    expect(all).toEqual({ rows: [latest, { ...hour, calls: 5 }, { ...hour, keyId: 'k2', partnerId: 'globex' }] })
    const first = await engine.requests.refusals({ visibility: { partnerId: 'acme' }, limit: 1 })
    expect(first.rows).toEqual([latest])
    const second = await engine.requests.refusals({ visibility: { partnerId: 'acme' }, limit: 1, after: first.next })
    expect(second).toEqual({ rows: [{ ...hour, calls: 5 }] })
    const bounded = { visibility: { all: true }, keyId: 'k1', toMs: 1, limit: 5 } as const
    expect((await engine.requests.refusals(bounded)).rows).toEqual([{ ...hour, calls: 5 }])
    await expect(engine.requests.refusals({ ...bounded, after: 'x' })).rejects.toThrow(InvalidCursor)
  })
})
