import type { CallQuery } from '../../domain/request-log.ts'
import type { Visibility } from '../../domain/visibility.ts'
import type { Sqlite } from '../connection.ts'
import { type BlockCall, type BlockRow, maxSpanMs, readBlock } from './request-log-blocks.ts'
import { type CallKey, isBefore } from './request-log-filter.ts'
import { type CallRow, partnerTerm, partnerValues } from './request-log-schema.ts'

/** A kind of served calls. */
type Kind = Pick<CallRow, 'operation' | 'version' | 'explicit' | 'status' | 'units'>

interface Key {
  readonly key_no: number
  readonly key: string
  readonly partner: string
}

const selectKinds = `SELECT n.no, o.name AS operation, n.version, n.explicit, n.status, n.units
  FROM kinds n JOIN operations o ON o.no = n.operation`

/** Reads the served calls of single keys for one list. */
export class BlockReader {
  readonly #query: CallQuery
  readonly #after: CallKey | undefined
  readonly #kinds: ReadonlyMap<number, Kind>
  readonly #blocks
  readonly #keyOf

  /** `after` is the last call of the previous page. */
  constructor(db: Sqlite, query: CallQuery, after: CallKey | undefined) {
    this.#query = query
    this.#after = after
    this.#kinds = listKinds(db, query)
    this.#blocks = db.prepare<[number, number, number, number], BlockRow>(
      `SELECT from_ms, to_ms, calls FROM blocks WHERE key_no = ? AND to_ms BETWEEN ? AND ? AND from_ms <= ?
       ORDER BY to_ms DESC`,
    )
    this.#keyOf = db.prepare<[number], Key>('SELECT no AS key_no, id AS key, partner FROM keys WHERE no = ?')
  }

  /** Returns the newest calls of a key from a time, in any order; some more than `limit`. */
  read(keyNo: number, fromMs: number, limit: number): CallRow[] {
    if (this.#kinds.size === 0) return []
    const { toMs = Number.MAX_SAFE_INTEGER } = this.#query
    const untilMs = Math.min(toMs - 1, this.#after?.time_ms ?? toMs - 1)
    const found: BlockCall[] = []
    for (const block of this.#blocks.iterate(keyNo, fromMs, Math.min(untilMs + maxSpanMs, toMs + maxSpanMs), untilMs)) {
      if (found.length >= limit && isComplete(found, limit, block.to_ms)) break
      for (const call of readBlock(block)) if (this.#matches(call, fromMs, untilMs)) found.push(call)
    }
    if (found.length === 0) return []
    const key = this.#keyOf.get(keyNo)!
    return found.map(call => toCallRow(call, this.#kinds.get(call.kind)!, key))
  }

  #matches(call: BlockCall, fromMs: number, untilMs: number): boolean {
    if (call.time_ms < fromMs || call.time_ms > untilMs || !this.#kinds.has(call.kind)) return false
    return this.#after === undefined || isBefore(call, this.#after)
  }
}

/** Returns true if a list has `limit` calls after a time, so that earlier ones do not belong to it. */
const isComplete = (found: readonly BlockCall[], limit: number, timeMs: number): boolean =>
  found.filter(call => call.time_ms > timeMs).length >= limit

/** Returns the kinds of served calls that a query asks for, by number. */
function listKinds(
  db: Sqlite,
  { status, statusFrom = status, statusTo = status, operation, fault }: CallQuery,
): ReadonlyMap<number, Kind> {
  if (fault !== undefined) return new Map()
  const rows = db
    .prepare<unknown[], Kind & { readonly no: number }>(
      `${selectKinds} WHERE n.status >= ? AND n.status <= ?${operation === undefined ? '' : ' AND o.name = ?'}`,
    )
    .all(statusFrom ?? 0, statusTo ?? 999, ...(operation === undefined ? [] : [operation]))
  return new Map(rows.map(({ no, ...kind }) => [no, kind]))
}

const toCallRow = ({ kind: _, ...call }: BlockCall, kind: Kind, key: Key): CallRow => ({
  ...call,
  ...kind,
  ...key,
  fault: null,
  fields: null,
  refused: null,
  facts: null,
})

/** Finds a served call by its id, if its time is within a span. */
export function findInBlocks(
  db: Sqlite,
  id: Buffer,
  span: { readonly fromMs: number; readonly toMs: number },
  visibility: Visibility,
): CallRow | undefined {
  const found = db
    .prepare<unknown[], BlockRow & Key>(
      `SELECT b.from_ms, b.to_ms, b.calls, k.no AS key_no, k.id AS key, k.partner
       FROM keys k CROSS JOIN blocks b ON b.key_no = k.no
       WHERE k.last_ms >= ?${partnerTerm(visibility)} AND b.to_ms BETWEEN ? AND ? AND b.from_ms <= ?
         AND instr(b.calls, ?) > 0`,
    )
    .all(span.fromMs, ...partnerValues(visibility), span.fromMs, span.toMs + maxSpanMs, span.toMs, id)
  for (const { key_no, key, partner, ...block } of found) {
    const call = readBlock(block).find(one => one.id.equals(id))
    if (!call) continue
    const kind = db.prepare<[number], Kind & { readonly no: number }>(`${selectKinds} WHERE n.no = ?`).get(call.kind)!
    return toCallRow(call, kind, { key_no, key, partner })
  }
  return undefined
}
