import { randomUUID } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import type { JournalCall } from '../../src/domain/journal-call.ts'
import type { CallQuery, RequestLog, RequestLogWriter } from '../../src/domain/request-log.ts'
import type { UsageRecord } from '../../src/domain/usage.ts'
import { everything } from '../../src/domain/visibility.ts'
import { dayMs, hourMs } from '../../src/kit/time.ts'
import type { PostgresPool } from '../../src/store/postgres/pool.ts'
import { createPostgresRequestLog } from '../../src/store/postgres/request-log.ts'
import { createPostgresRequestLogWriter } from '../../src/store/postgres/request-log-writer.ts'
import { findBatches } from '../../src/usage/batch-frame.ts'
import { encodeBatches } from '../../src/usage/batch-writer.ts'
import { readCalls } from '../../src/usage/journal-calls.ts'
import { record } from '../../src/usage/records.fixture.ts'
import { describeWith, useDatabase } from '../engines.ts'
import { usePool } from '../journal-node.ts'
import { postgresTemplate } from '../postgres-template.ts'
import { openSqlite } from './contract/engines.ts'

const nowMs = Date.UTC(2026, 2, 4, 5)
let made = 0
/** Returns a UUIDv7 of a time. */
const uuidAt = (timeMs: number): string => {
  const hex = timeMs.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${String(++made).padStart(12, '0')}`
}

const refused: Partial<UsageRecord> = {
  status: 429,
  units: 0,
  refusedBy: ['rate'],
  fault: { code: 'rate_limited', fields: ['q'], policies: ['"rate";q=5;w=5'], keyRevision: 3, retryAfterS: 2 },
}
const kinds: readonly Partial<UsageRecord>[] = [{}, { operation: 'search', units: 2 }, { version: '2' }, refused]

/** Returns calls of three keys over some minutes, as a journal has them. */
function createCalls(count: number): JournalCall[] {
  const records = Array.from({ length: count }, (_, i) => {
    const timeMs = nowMs + Math.floor(i / 3) * 400
    const keyId = `k${(i * 7) % 3}`
    const partnerId = keyId === 'k0' ? 'globex' : 'acme'
    return record({ ...kinds[((i * 5) % 7) % 4], timeMs, requestId: uuidAt(timeMs), keyId, subject: keyId, partnerId })
  })
  return [...findBatches(encodeBatches(records))].flatMap(readCalls)
}

describeWith(['pg'], 'request log of all nodes', () => {
  let pool: PostgresPool
  let log: RequestLog

  beforeEach(async () => {
    pool = usePool(await useDatabase(await postgresTemplate()))
    log = createPostgresRequestLog(pool)
  })

  const openWriter = () => createPostgresRequestLogWriter(pool, randomUUID())
  const add = (writer: RequestLogWriter, calls: readonly JournalCall[]) =>
    writer.add({ calls, files: [{ file: 1, bytes: 10, complete: false }], countedToMs: nowMs + hourMs })

  async function listAll(of: RequestLog, query: Partial<CallQuery>) {
    const pages = []
    let after: string | undefined
    do {
      const page = await of.list({ visibility: everything, limit: 17, ...query, after })
      pages.push(page.rows)
      after = page.next
    } while (after !== undefined)
    return pages
  }

  it('answers as that of one node does, from what several nodes have added', async () => {
    const sqlite = await openSqlite()
    const one = await sqlite.openRequestLogWriter()
    const [a, b] = [openWriter(), openWriter()]
    const calls = createCalls(180)
    for (let i = 0; i < calls.length; i += 40) {
      const part = calls.slice(i, i + 40)
      await add(one, part)
      await Promise.all([
        add(
          a,
          part.filter((_, at) => at % 3 > 0),
        ),
        add(
          b,
          part.filter((_, at) => at % 3 === 0),
        ),
      ])
    }
    // A call that a journal has twice is listed once.
    await add(b, calls.slice(0, 3))
    const queries: Partial<CallQuery>[] = [
      {},
      { keyId: 'k1' },
      { visibility: { partnerId: 'globex' } },
      { status: 429 },
      { statusFrom: 200, statusTo: 299, fromMs: nowMs + 5000, toMs: nowMs + 30_000 },
      { operation: 'search', keyId: 'k2' },
      { fault: 'rate_limited', visibility: { partnerId: 'acme' } },
      { fault: 'not_found' },
    ]
    for (const query of queries)
      expect(await listAll(log, query), JSON.stringify(query)).toEqual(await listAll(sqlite.requests, query))
    for (const [row] of await listAll(sqlite.requests, {})) {
      expect(await log.find(row!.requestId, everything)).toEqual(row)
      expect(await log.find(row!.requestId, { partnerId: 'nobody' })).toBeUndefined()
    }
    expect(await log.find('no UUID', everything)).toBeUndefined()
    expect(await log.countedToMs()).toBe(nowMs + hourMs)
    expect([...(await a.files()).values()]).toEqual([{ file: 1, bytes: 10, complete: false }])
    await one.close()
  })

  it('counts refusals and the seconds with the most calls over all nodes', async () => {
    const [a, b] = [openWriter(), openWriter()]
    const at = (timeMs: number) => record({ timeMs, requestId: uuidAt(timeMs) })
    const calls = [...findBatches(encodeBatches([at(nowMs), at(nowMs + 10), at(nowMs + 2000)]))].flatMap(readCalls)
    await Promise.all([add(a, calls.slice(0, 1)), add(b, calls.slice(1))])
    expect(await log.peakRates({ subjects: ['k1', 'k2'], fromMs: nowMs - dayMs })).toEqual([
      { subject: 'k1', bucket: 'package', secondMs: nowMs, calls: 2 },
    ])
    const hour = { partnerId: 'acme', keyId: 'k1', hourMs: nowMs, code: 'key_revoked', version: '' }
    await Promise.all([
      a.addRefusals([{ ...hour, calls: 2, lastMs: nowMs + 5 }]),
      b.addRefusals([{ ...hour, calls: 1, lastMs: nowMs + 9 }]),
    ])
    expect(await log.refusals({ visibility: everything, limit: 5 })).toEqual({
      rows: [{ ...hour, calls: 3, lastMs: nowMs + 9 }],
    })
  })

  it('removes what has expired, and the oldest hours above its size', async () => {
    const writer = openWriter()
    const hours = Array.from({ length: 5 }, (_, i) => nowMs + i * hourMs)
    const records = hours.map(timeMs => record({ timeMs, requestId: uuidAt(timeMs) }))
    await add(writer, [...findBatches(encodeBatches(records))].flatMap(readCalls))
    const times = async () =>
      (await listAll(log, {}))
        .flat()
        .map(({ timeMs }) => timeMs)
        .reverse()
    const pruneAll = async (beforeMs: number, maxBytes: number) => {
      while (await writer.prune({ beforeMs, maxBytes }));
    }
    await pruneAll(0, 1_000_000)
    expect(await times()).toEqual(hours)
    await pruneAll(hours[1]!, 1_000_000)
    expect(await times()).toEqual(hours.slice(1))
    const [{ bytes }] = (await pool.query<{ bytes: bigint }>('SELECT max(bytes) AS bytes FROM request_hours')) as [
      { bytes: bigint },
    ]
    await pruneAll(0, Number(bytes) * 2)
    expect(await times()).toEqual(hours.slice(3))
  })
})
