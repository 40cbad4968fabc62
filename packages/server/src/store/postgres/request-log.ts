import type { RefusalHour, RefusalPage, RefusalQuery } from '../../domain/refusal-hours.ts'
import type { CallPage, CallQuery, LoggedCall, PeakRate, RequestLog } from '../../domain/request-log.ts'
import type { Visibility } from '../../domain/visibility.ts'
import { hourMs } from '../../kit/time.ts'
import { uuidBytes, writeUuid } from '../../kit/uuid.ts'
import { type LoggedRow, toLoggedCall } from '../rows/logged-call.ts'
import { type CallKey, isBefore, readCursor, readOffset, writeCursor } from '../rows/request-log-cursor.ts'
import type { PostgresPool } from './pool.ts'
import { maxSpanMs, type RequestBlockRow, readCalls } from './request-blocks.ts'
import { toNumbers } from './sql-database.ts'

/** Number of blocks that the first statement of a list reads, and the maximum of the later ones. */
const [firstBlocks, mostBlocks] = [20, 500]
/** Time around the one in a request id in which its usage record can be, in milliseconds. */
const [earliestMs, latestMs] = [-1000, 30_000]

/** Opens the request log of all nodes for reading. */
export const createPostgresRequestLog = (pool: PostgresPool): RequestLog => ({
  list: query => listCalls(pool, query, query.after === undefined ? undefined : readCursor(query.after)),
  find: (requestId, visibility) => findCall(pool, requestId, visibility),
  refusals: query => listRefusals(pool, query),
  peakRates: async ({ subjects, fromMs }) => {
    const rows = await pool.query<Record<string, unknown>>(
      `SELECT DISTINCT ON (subject, bucket) subject, bucket, second_ms AS "secondMs", calls FROM request_peaks
       WHERE subject = ANY($1) AND second_ms >= $2 ORDER BY subject, bucket, calls DESC, second_ms DESC`,
      [subjects, Math.ceil(fromMs)],
    )
    return toNumbers(rows) as unknown as PeakRate[]
  },
  countedToMs: async () => {
    // A node that has been silent for longer than an hour is gone: its calls follow when it is back.
    const [row] = await pool.query<{ ms: bigint | null }>(
      `SELECT min(counted_to_ms) AS ms FROM request_nodes
       WHERE counted_to_ms > (SELECT max(counted_to_ms) FROM request_nodes) - ${hourMs}`,
    )
    return row!.ms === null ? undefined : Number(row!.ms)
  },
})

const columns = 'no, key_id, partner_id, from_ms, to_ms, kinds, calls'

/** Terms of SQL with the values of their parameters. */
class Terms {
  readonly values: unknown[] = []
  readonly #terms: string[] = []

  /** Adds a term, which is written with the name of its parameter. */
  add(value: unknown, term: (parameter: string) => string): void {
    this.#terms.push(term(`$${this.values.push(value)}`))
  }

  toString(): string {
    return this.#terms.join(' AND ')
  }
}

/** Returns the terms of the blocks that can have calls of a query. */
function blockTerms({ visibility, keyId, operation, fault, fromMs = 0, ...query }: CallQuery, untilMs: number): Terms {
  const { status, statusFrom = status, statusTo = status } = query
  const terms = new Terms()
  terms.add(Math.ceil(fromMs), at => `to_ms >= ${at}`)
  terms.add(Math.floor(untilMs), at => `from_ms <= ${at}`)
  if ('partnerId' in visibility) terms.add(visibility.partnerId, id => `partner_id = ${id}`)
  if (keyId !== undefined) terms.add(keyId, id => `key_id = ${id}`)
  if (operation !== undefined) terms.add(operation, name => `${name} = ANY(operations)`)
  if (fault !== undefined) terms.add(fault, code => `${code} = ANY(faults)`)
  if (statusFrom !== undefined) terms.add(statusFrom, from => `${from} <= ANY(statuses)`)
  if (statusTo !== undefined) terms.add(statusTo, to => `${to} >= ANY(statuses)`)
  return terms
}

/** Returns a function that is true for the calls of a query; `after` is the last call of the previous page. */
function createFilter(query: CallQuery, after: CallKey | undefined): (call: LoggedRow) => boolean {
  const { operation, fault, status, statusFrom = status ?? 0, statusTo = status ?? 999 } = query
  const { fromMs = 0, toMs = Number.POSITIVE_INFINITY } = query
  return call =>
    call.time_ms >= fromMs &&
    call.time_ms < toMs &&
    call.status >= statusFrom &&
    call.status <= statusTo &&
    (operation === undefined || call.operation === operation) &&
    (fault === undefined || call.fault === fault) &&
    (after === undefined || isBefore(call, after))
}

/** Reads blocks, those that end last first, until no other one can have a call of the page. */
async function listCalls(pool: PostgresPool, query: CallQuery, after: CallKey | undefined): Promise<CallPage> {
  const { limit, toMs = Number.MAX_SAFE_INTEGER } = query
  const untilMs = Math.min(toMs, after?.time_ms ?? toMs)
  const matches = createFilter(query, after)
  const found = new Map<string, LoggedRow>()
  let place = { to_ms: BigInt(Math.min(Math.ceil(untilMs) + maxSpanMs, Number.MAX_SAFE_INTEGER)), no: 0n }
  for (let blocks = firstBlocks; ; blocks = Math.min(blocks * 4, mostBlocks)) {
    const terms = blockTerms(query, untilMs)
    const before = [place.to_ms, place.no].map(value => `$${terms.values.push(value)}`)
    const rows = await pool.query<RequestBlockRow>(
      `SELECT ${columns} FROM request_blocks WHERE ${terms} AND (to_ms, no) < (${before.join(', ')})
       ORDER BY to_ms DESC, no DESC LIMIT ${blocks}`,
      terms.values,
    )
    // A call that a journal has twice is listed once.
    for (const row of rows)
      for (const call of readCalls(row)) if (matches(call)) found.set(call.id.toString('latin1'), call)
    const last = rows.at(-1)
    if (!last || rows.length < blocks) break
    place = last
    const complete = [...found.values()].filter(({ time_ms }) => time_ms > Number(last.to_ms))
    if (complete.length > limit) break
  }
  const page = [...found.values()].sort((a, b) => (isBefore(a, b) ? 1 : -1))
  const calls = page.slice(0, limit)
  return { rows: calls.map(toLoggedCall), ...(page.length > limit && { next: writeCursor(calls.at(-1)!) }) }
}

async function findCall(
  pool: PostgresPool,
  requestId: string,
  visibility: Visibility,
): Promise<LoggedCall | undefined> {
  const id = Buffer.alloc(uuidBytes)
  if (!writeUuid(requestId, id, 0)) return undefined
  const arrivedMs = id.readUIntBE(0, 6)
  const untilMs = arrivedMs + latestMs
  const terms = blockTerms({ visibility, fromMs: arrivedMs + earliestMs, limit: 1 }, untilMs)
  terms.add(untilMs + maxSpanMs, at => `to_ms <= ${at}`)
  terms.add(id, bytes => `position(${bytes} IN calls) > 0`)
  const rows = await pool.query<RequestBlockRow>(
    `SELECT ${columns} FROM request_blocks WHERE ${terms} ORDER BY to_ms, no LIMIT 10`,
    terms.values,
  )
  for (const row of rows) for (const call of readCalls(row)) if (call.id.equals(id)) return toLoggedCall(call)
  return undefined
}

/** Returns a page of refusals. There are few: one row per key, hour, code and version. */
async function listRefusals(pool: PostgresPool, query: RefusalQuery): Promise<RefusalPage> {
  const { visibility, keyId, fromMs = 0, toMs = Number.MAX_SAFE_INTEGER, limit } = query
  const skipped = query.after === undefined ? 0 : readOffset(query.after)
  const terms = new Terms()
  terms.add(Math.ceil(fromMs), at => `hour_ms >= ${at}`)
  terms.add(Math.ceil(toMs), at => `hour_ms < ${at}`)
  if ('partnerId' in visibility) terms.add(visibility.partnerId, id => `partner_id = ${id}`)
  if (keyId !== undefined) terms.add(keyId, id => `key_id = ${id}`)
  const rows = await pool.query<Record<string, unknown>>(
    `SELECT partner_id AS "partnerId", key_id AS "keyId", hour_ms AS "hourMs", code, version, calls, last_ms AS "lastMs"
     FROM request_refusals WHERE ${terms}
     ORDER BY hour_ms DESC, key_id, code, version LIMIT ${limit + 1} OFFSET ${skipped}`,
    terms.values,
  )
  const found = toNumbers(rows) as unknown as RefusalHour[]
  return { rows: found.slice(0, limit), ...(found.length > limit && { next: String(skipped + limit) }) }
}
