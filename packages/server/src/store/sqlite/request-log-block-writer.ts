import type { JournalCall } from '../../domain/journal-call.ts'
import type { UsageRecord } from '../../domain/usage.ts'
import { readUuid } from '../../kit/uuid.ts'
import type { Sqlite } from '../connection.ts'
import { type BlockRow, listIds, maxRows, maxSpanMs, requestRowBytes, writeRow } from '../rows/request-log-blocks.ts'
import type { CallGroup, CallNumbers } from './request-log-numbers.ts'

const maxKinds = 10_000

/** Receives a group with the time of a call. */
export type TouchGroup = (groupNo: number, timeMs: number) => void

/** Returns the group of a call. */
export const groupOf = ({ operation, status, fault }: UsageRecord): CallGroup => ({
  operation,
  status,
  fault: fault?.code,
})

/** Adds served calls to the blocks of their keys; calls that the blocks have are ignored. */
export class BlockWriter {
  readonly #numbers: CallNumbers
  /** Kinds of the latest terms that calls share. */
  readonly #kinds = new Map<UsageRecord, number>()
  readonly #rows = Buffer.alloc(maxRows * requestRowBytes)
  readonly #insert
  readonly #insertGroup
  readonly #overlapping

  constructor(db: Sqlite, numbers: CallNumbers) {
    this.#numbers = numbers
    this.#insert = db.prepare('INSERT INTO blocks (key_no, to_ms, from_ms, calls) VALUES (?, ?, ?, ?)')
    this.#insertGroup = db.prepare('INSERT INTO block_groups (group_no, to_ms, block_no) VALUES (?, ?, ?)')
    this.#overlapping = db.prepare<[number, number, number, number], BlockRow>(
      'SELECT from_ms, to_ms, calls FROM blocks WHERE key_no = ? AND to_ms BETWEEN ? AND ? AND from_ms <= ?',
    )
  }

  /**
   * Adds calls of a key, whose latest call in the log was at `lastMs`. Calls `touch` with the groups of each block and a
   * time that is not before their latest call. Returns the calls that the blocks did not have.
   */
  add(keyNo: number, calls: readonly JournalCall[], lastMs: number, touch: TouchGroup): readonly JournalCall[] {
    const ordered = isOrdered(calls) ? calls : calls.toSorted((a, b) => a.timeMs - b.timeMs)
    const added = this.#removeKnown(keyNo, removeRepeats(ordered), lastMs)
    for (let start = 0; start < added.length; ) start = this.#addBlock(keyNo, added, start, touch)
    return added
  }

  /** Writes a block with the calls from `start`. Returns the index of the first call after it. */
  #addBlock(keyNo: number, calls: readonly JournalCall[], start: number, touch: TouchGroup): number {
    const fromMs = calls[start]!.timeMs
    const kinds = new Map<number, UsageRecord>()
    let [at, toMs, i] = [0, fromMs, start]
    for (; i < calls.length && at < this.#rows.length; i++) {
      const call = calls[i]!
      if (call.timeMs - fromMs > maxSpanMs) break
      const kind = this.#kindOf(call)
      if (!writeRow(this.#rows, at, call, kind, fromMs)) continue
      kinds.set(kind, call.terms)
      at += requestRowBytes
      toMs = call.timeMs
    }
    if (at === 0) return i
    const { lastInsertRowid } = this.#insert.run(keyNo, toMs, fromMs, this.#rows.subarray(0, at))
    const groups = new Set([...kinds.values()].map(terms => this.#numbers.ofGroup(keyNo, groupOf(terms))))
    for (const group of groups) {
      this.#insertGroup.run(group, toMs, lastInsertRowid)
      touch(group, toMs)
    }
    return i
  }

  #kindOf({ terms, source }: JournalCall): number {
    const known = this.#kinds.get(terms)
    if (known !== undefined) return known
    const kind = this.#numbers.ofKind(terms)
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
