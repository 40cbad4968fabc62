import type { JournalCall } from '../../domain/journal-call.ts'
import type { UsageRecord } from '../../domain/usage.ts'
import { readUuid } from '../../kit/uuid.ts'
import type { Sqlite } from '../connection.ts'
import { type BlockRow, listIds, maxRows, maxSpanMs, requestRowBytes, writeRow } from './request-log-blocks.ts'

const maxKinds = 10_000

/** Adds served calls to the blocks of their keys; calls that the blocks have are ignored. */
export class BlockWriter {
  readonly #findKind: (call: UsageRecord) => number
  /** Kinds of the latest terms that calls share. */
  readonly #kinds = new Map<UsageRecord, number>()
  readonly #rows = Buffer.alloc(maxRows * requestRowBytes)
  readonly #insert
  readonly #overlapping

  constructor(db: Sqlite, findKind: (call: UsageRecord) => number) {
    this.#findKind = findKind
    this.#insert = db.prepare('INSERT INTO blocks (key_no, to_ms, from_ms, calls) VALUES (?, ?, ?, ?)')
    this.#overlapping = db.prepare<[number, number, number, number], BlockRow>(
      'SELECT from_ms, to_ms, calls FROM blocks WHERE key_no = ? AND to_ms BETWEEN ? AND ? AND from_ms <= ?',
    )
  }

  /** Adds calls of a key, whose latest call in the log was at `lastMs`. */
  add(keyNo: number, calls: readonly JournalCall[], lastMs: number): void {
    const ordered = isOrdered(calls) ? calls : calls.toSorted((a, b) => a.timeMs - b.timeMs)
    const added = this.#removeKnown(keyNo, removeRepeats(ordered), lastMs)
    for (let start = 0; start < added.length; ) start = this.#addBlock(keyNo, added, start)
  }

  /** Writes a block with the calls from `start`. Returns the index of the first call after it. */
  #addBlock(keyNo: number, calls: readonly JournalCall[], start: number): number {
    const fromMs = calls[start]!.timeMs
    let [at, toMs, i] = [0, fromMs, start]
    for (; i < calls.length && at < this.#rows.length; i++) {
      const call = calls[i]!
      if (call.timeMs - fromMs > maxSpanMs) break
      if (!writeRow(this.#rows, at, call, this.#kindOf(call), fromMs)) continue
      at += requestRowBytes
      toMs = call.timeMs
    }
    if (at > 0) this.#insert.run(keyNo, toMs, fromMs, this.#rows.subarray(0, at))
    return i
  }

  #kindOf({ terms, source }: JournalCall): number {
    const known = this.#kinds.get(terms)
    if (known !== undefined) return known
    const kind = this.#findKind(terms)
    if (this.#kinds.size === maxKinds) this.#kinds.clear()
    if (source) this.#kinds.set(terms, kind)
    return kind
  }

  #removeKnown(keyNo: number, calls: readonly JournalCall[], lastMs: number): readonly JournalCall[] {
    const [first, last] = [calls[0], calls.at(-1)]
    if (!first || !last || first.timeMs > lastMs) return calls
    const blocks = this.#overlapping.all(keyNo, first.timeMs, last.timeMs + maxSpanMs, last.timeMs)
    if (blocks.length === 0) return calls
    const known = new Set(blocks.flatMap(listIds))
    const knownToMs = Math.max(...blocks.map(({ to_ms }) => to_ms))
    return calls.filter(call => call.timeMs > knownToMs || !known.has(idOf(call)))
  }
}

const isOrdered = (calls: readonly JournalCall[]): boolean =>
  calls.every((call, i) => i === 0 || calls[i - 1]!.timeMs <= call.timeMs)

/** Removes calls that are in the list twice. They have the same time. */
function removeRepeats(ordered: readonly JournalCall[]): readonly JournalCall[] {
  const isRepeat = (call: JournalCall, i: number): boolean => {
    for (let at = i - 1; at >= 0 && ordered[at]!.timeMs === call.timeMs; at--) {
      const { idLow, idHigh } = ordered[at]!
      if (idLow === call.idLow && idHigh === call.idHigh) return true
    }
    return false
  }
  return ordered.some(isRepeat) ? ordered.filter((call, i) => !isRepeat(call, i)) : ordered
}

const idOf = ({ terms, source, at }: JournalCall): string =>
  source ? readUuid(source, at) : terms.requestId.toLowerCase()
