import type { CallQuery } from '../../domain/request-log.ts'
import type { Visibility } from '../../domain/visibility.ts'
import type { Sqlite } from '../connection.ts'
import { type BlockCall, type BlockRow, maxSpanMs, readBlock } from '../rows/request-log-blocks.ts'
import { type CallKey, isBefore } from '../rows/request-log-cursor.ts'
import type { Prepare } from '../statement-cache.ts'
import { type CallRow, partnerTerm, partnerValues } from './request-log-schema.ts'

/** A log that is open for reading. */
export interface OpenLog {
  readonly db: Sqlite
  readonly prepare: Prepare
}

/** A kind of served calls. */
type Kind = Pick<CallRow, 'operation' | 'version' | 'explicit' | 'status' | 'units'>

interface Key {
  readonly key_no: number
  readonly key: string
  readonly partner: string
}

const selectKinds = `SELECT n.no, o.name AS operation, n.version, n.explicit, n.status, n.units
  FROM kinds n JOIN operations o ON o.no = n.operation`

/** The calls of a key, or of one of its groups. */
export interface CallSource {
  /** Number of the key or group. */
  readonly no: number
  readonly key_no: number
  /** Time of the latest call. */
  readonly last_ms: number
  /** Operation and status of a group. */
  readonly operation?: string
  readonly status?: number
}

/** Reads the served calls of keys, or of groups, for one list. */
export class BlockReader {
  readonly #query: CallQuery
  readonly #after: CallKey | undefined
  readonly #kinds: ReadonlyMap<number, Kind>
  readonly #blocks
  readonly #keyOf

  /** `after` is the last call of the previous page. */
  constructor({ prepare }: OpenLog, query: CallQuery, after: CallKey | undefined, by: 'key' | 'group') {
    this.#query = query
    this.#after = after
    this.#kinds = listKinds(prepare)
    this.#blocks = prepare<[number, number, number, number], BlockRow>(
      by === 'key'
        ? `SELECT from_ms, to_ms, calls FROM blocks WHERE key_no = ? AND to_ms BETWEEN ? AND ? AND from_ms <= ?
           ORDER BY to_ms DESC`
        : `SELECT b.from_ms, b.to_ms, b.calls FROM block_groups g CROSS JOIN blocks b ON b.no = g.block_no
           WHERE g.group_no = ? AND g.to_ms BETWEEN ? AND ? AND b.from_ms <= ? ORDER BY g.to_ms DESC`,
    )
    this.#keyOf = prepare<[number], Key>('SELECT no AS key_no, id AS key, partner FROM keys WHERE no = ?')
  }

  /** Returns the newest calls of a source from a time, in any order; some more than `limit`. */
  read(source: CallSource, fromMs: number, limit: number): CallRow[] {
    const { toMs = Number.MAX_SAFE_INTEGER } = this.#query
    const untilMs = Math.min(toMs - 1, this.#after?.time_ms ?? toMs - 1)
    const found: BlockCall[] = []
    for (const block of this.#blocks.iterate(
      source.no,
      fromMs,
      Math.min(untilMs + maxSpanMs, toMs + maxSpanMs),
      untilMs,
    )) {
      if (found.length >= limit && isComplete(found, limit, block.to_ms)) break
      for (const call of readBlock(block))
        if (call.time_ms >= fromMs && call.time_ms <= untilMs && this.#matches(call, source)) found.push(call)
    }
    if (found.length === 0) return []
    const key = this.#keyOf.get(source.key_no)!
    return found.map(call => toCallRow(call, this.#kinds.get(call.kind)!, key))
  }

  #matches(call: BlockCall, { operation, status }: CallSource): boolean {
    const kind = this.#kinds.get(call.kind)!
    if (operation !== undefined && (kind.operation !== operation || kind.status !== status)) return false
    return this.#after === undefined || isBefore(call, this.#after)
  }
}

/** Returns true if a list has `limit` calls after a time, so that earlier ones do not belong to it. */
const isComplete = (found: readonly BlockCall[], limit: number, timeMs: number): boolean =>
  found.filter(call => call.time_ms > timeMs).length >= limit

/** Returns the kinds of served calls by number. */
function listKinds(prepare: Prepare): ReadonlyMap<number, Kind> {
  const rows = prepare<unknown[], Kind & { readonly no: number }>(selectKinds).all()
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
  { prepare }: OpenLog,
  id: Buffer,
  span: { readonly fromMs: number; readonly toMs: number },
  visibility: Visibility,
): CallRow | undefined {
  const found = prepare<unknown[], BlockRow & Key>(
    `SELECT b.from_ms, b.to_ms, b.calls, k.no AS key_no, k.id AS key, k.partner
       FROM keys k CROSS JOIN blocks b ON b.key_no = k.no
       WHERE k.last_ms >= ?${partnerTerm(visibility)} AND b.to_ms BETWEEN ? AND ? AND b.from_ms <= ?
         AND instr(b.calls, ?) > 0`,
  ).all(span.fromMs, ...partnerValues(visibility), span.fromMs, span.toMs + maxSpanMs, span.toMs, id)
  for (const { key_no, key, partner, ...block } of found) {
    const call = readBlock(block).find(one => one.id.equals(id))
    if (!call) continue
    const kind = prepare<[number], Kind & { readonly no: number }>(`${selectKinds} WHERE n.no = ?`).get(call.kind)!
    return toCallRow(call, kind, { key_no, key, partner })
  }
  return undefined
}
