import type { RefusalHour, RefusalQuery } from '../../domain/refusal-hours.ts'
import type { CallPage, CallQuery, LoggedCall, RequestLog } from '../../domain/request-log.ts'
import type { Visibility } from '../../domain/visibility.ts'
import { uuidBytes, writeUuid } from '../../kit/uuid.ts'
import { type ConnectionOptions, connect, type Sqlite } from '../connection.ts'
import { toLoggedCall } from '../rows/logged-call.ts'
import { type CallKey, isBefore, readCursor, readOffset, writeCursor } from '../rows/request-log-cursor.ts'
import { cacheStatements } from '../statement-cache.ts'
import { readInode } from './replaceable-file.ts'
import { BlockReader, type CallSource, findInBlocks, type OpenLog } from './request-log-block-reader.ts'
import { groupTerms, orderTerms, type SqlTerms } from './request-log-filter.ts'
import { listPeakRates } from './request-log-rates.ts'
import { type CallRow, partnerTerm, partnerValues, requestLogVersion } from './request-log-schema.ts'

/** The connection of a reader, which opens with the first use and follows the replacement of the file. */
export interface SqliteRequestLog extends RequestLog {
  close(): void
}

/** Opens the request log for reading. A missing log has no rows: the service fills it again. */
export function createSqliteRequestLog(
  file: string,
  { onFailure }: Pick<ConnectionOptions, 'onFailure'>,
): SqliteRequestLog {
  let open: (OpenLog & { readonly inode: bigint }) | undefined
  const close = () => {
    open?.db.close()
    open = undefined
  }
  const current = (): OpenLog | undefined => {
    const inode = readInode(file)
    if (open && open.inode !== inode) close()
    if (!open && inode !== undefined) {
      const db = openReader(file, onFailure)
      if (db) open = { db, prepare: cacheStatements(db), inode }
    }
    return open
  }
  return {
    list: async query => {
      const after = query.after === undefined ? undefined : readCursor(query.after)
      const log = current()
      return log ? listCalls(log, query, after) : { rows: [] }
    },
    find: async (requestId, visibility) => {
      const id = Buffer.alloc(uuidBytes)
      const log = current()
      return log && writeUuid(requestId, id, 0) ? findCall(log, id, visibility) : undefined
    },
    refusals: async query => {
      const skipped = query.after === undefined ? 0 : readOffset(query.after)
      const log = current()
      return log ? listRefusals(log, query, skipped) : { rows: [] }
    },
    peakRates: async query => {
      const log = current()
      return log ? listPeakRates(log.prepare, query) : []
    },
    countedToMs: async () =>
      current()?.prepare<[], { counted_to_ms: number | null }>('SELECT counted_to_ms FROM state').get()
        ?.counted_to_ms ?? undefined,
    close,
  }
}

/**
 * Opens the file read-only, so that closing it never removes a log of SQLite; undefined for a file that is being
 * created.
 */
function openReader(file: string, onFailure: ConnectionOptions['onFailure']): Sqlite | undefined {
  const db = connect(file, { readonly: true, fileMustExist: true, timeout: 5000, onFailure })
  try {
    if (db.pragma('user_version', { simple: true }) === requestLogVersion) return db
  } catch (error) {
    db.close()
    throw error
  }
  db.close()
  return undefined
}

const columns = `c.id, c.key_no, c.time_ms, k.id AS key, k.partner, o.name AS operation,
  c.version, c.explicit, c.status, c.units, c.fault, c.fields, c.refused, c.duration_us, c.facts`

/** Returns the visible keys, or their groups that match, those with the newest call first. */
function listSources(
  { prepare }: OpenLog,
  { visibility, keyId, fromMs = 0 }: CallQuery,
  filter: SqlTerms | undefined,
): CallSource[] {
  const keyTerms = `${partnerTerm(visibility)}${keyId === undefined ? '' : ' AND k.id = ?'}`
  const keyValues = [...partnerValues(visibility), ...(keyId === undefined ? [] : [keyId])]
  const select = filter
    ? `SELECT g.no, g.key_no, g.last_ms, o.name AS operation, g.status
       FROM keys k JOIN call_groups g ON g.key_no = k.no JOIN operations o ON o.no = g.operation
       WHERE g.last_ms >= ?${keyTerms}${filter.terms} ORDER BY g.last_ms DESC`
    : `SELECT k.no, k.no AS key_no, k.last_ms FROM keys k WHERE k.last_ms >= ?${keyTerms} ORDER BY k.last_ms DESC`
  return prepare<unknown[], CallSource>(select).all(fromMs, ...keyValues, ...(filter?.values ?? []))
}

/**
 * Merges the newest calls of the visible keys, or of their groups that match. These come in the order of their last
 * call, and the page so far bounds what is read of each one, so that a page costs little more than its own rows.
 */
function listCalls(log: OpenLog, query: CallQuery, after: CallKey | undefined): CallPage {
  const { limit, fromMs = 0 } = query
  const [order, filter] = [orderTerms(query, after), groupTerms(query)]
  const by = filter ? 'group' : 'key'
  const select = log.prepare<unknown[], CallRow>(
    `SELECT ${columns} FROM calls c JOIN keys k ON k.no = c.key_no JOIN operations o ON o.no = c.operation
     WHERE c.${by}_no = ? AND c.time_ms >= ?${order.terms} ORDER BY c.time_ms DESC, c.id DESC LIMIT ?`,
  )
  const blocks = new BlockReader(log, query, after, by)
  let page: CallRow[] = []
  for (const source of listSources(log, query, filter)) {
    const boundMs = page.length > limit ? Math.max(fromMs, page.at(-1)!.time_ms) : fromMs
    if (source.last_ms < boundMs) break
    const rows = [
      ...select.all(source.no, boundMs, ...order.values, limit + 1),
      ...blocks.read(source, boundMs, limit + 1),
    ]
    if (rows.length > 0) page = [...page, ...rows].sort(byNewest).slice(0, limit + 1)
  }
  const rows = page.slice(0, limit)
  return { rows: rows.map(toLoggedCall), ...(page.length > limit && { next: writeCursor(rows.at(-1)!) }) }
}

const byNewest = (a: CallRow, b: CallRow): number => (isBefore(a, b) ? 1 : -1)

/**
 * Spans around the time in a request id in which its usage record can be, in milliseconds: the record follows when the
 * call has ended. Most calls end soon, so a short span is read first.
 */
const spans = [
  [-1000, 2000],
  [2001, 30_000],
] as const

function findCall(log: OpenLog, id: Buffer, visibility: Visibility): LoggedCall | undefined {
  const arrivedMs = id.readUIntBE(0, 6)
  const select = log.prepare<unknown[], CallRow>(
    `SELECT ${columns} FROM keys k CROSS JOIN calls c ON c.key_no = k.no JOIN operations o ON o.no = c.operation
     WHERE k.last_ms >= ?${partnerTerm(visibility)} AND c.time_ms BETWEEN ? AND ? AND c.id = ? LIMIT 1`,
  )
  for (const [from, to] of spans) {
    const span = { fromMs: arrivedMs + from, toMs: arrivedMs + to }
    const row =
      select.get(span.fromMs, ...partnerValues(visibility), span.fromMs, span.toMs, id) ??
      findInBlocks(log, id, span, visibility)
    if (row) return toLoggedCall(row)
  }
  return undefined
}

/** Returns a page of refusals. There are few: one row per key, hour, code and version. */
function listRefusals({ prepare }: OpenLog, query: RefusalQuery, skipped: number) {
  const { visibility, keyId, fromMs = 0, toMs = Number.MAX_SAFE_INTEGER, limit } = query
  const rows = prepare<unknown[], RefusalHour>(
    `SELECT k.partner AS partnerId, k.id AS keyId,
         r.hour_ms AS hourMs, r.code, r.version, r.calls, r.last_ms AS lastMs
       FROM keys k JOIN refusals r ON r.key_no = k.no
       WHERE r.hour_ms >= ? AND r.hour_ms < ?${partnerTerm(visibility)}${keyId === undefined ? '' : ' AND k.id = ?'}
       ORDER BY r.hour_ms DESC, k.id, r.code, r.version LIMIT ? OFFSET ?`,
  ).all(fromMs, toMs, ...partnerValues(visibility), ...(keyId === undefined ? [] : [keyId]), limit + 1, skipped)
  return { rows: rows.slice(0, limit), ...(rows.length > limit && { next: String(skipped + limit) }) }
}
