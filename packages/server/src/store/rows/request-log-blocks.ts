import type { JournalCall } from '../../domain/journal-call.ts'
import { hourMs } from '../../kit/time.ts'
import { readUuid, uuidBytes, writeUuid } from '../../kit/uuid.ts'

/**
 * Served calls of one key are stored in blocks of rows with equal width, sorted by time. A row has the request id
 * (UUID) and three little-endian u32: the number of the kind of the call, the milliseconds since the first call of the
 * block, and the duration in microseconds.
 */
export const requestRowBytes = 28
const kindAt = uuidBytes
const timeAt = 20
const durationAt = 24

const maxUint = 0xffff_ffff
/** Maximum number of rows of a block: about a page of the database. */
export const maxRows = 140
/** Maximum time between the first and the last call of a block, in milliseconds. */
export const maxSpanMs = hourMs

/** Returns true if a call can be in a block; failed calls are in a table, because they have more columns. */
export const fitsBlock = ({ terms, timeMs, durationUs }: JournalCall): boolean =>
  terms.status < 400 &&
  Number.isInteger(timeMs) &&
  Number.isInteger(durationUs) &&
  durationUs >= 0 &&
  durationUs <= maxUint

/** Writes a row. Returns false for a call whose id is no UUID. */
export function writeRow(target: Buffer, at: number, call: JournalCall, kind: number, fromMs: number): boolean {
  const { terms, source } = call
  // So few bytes are copied faster here than by the function of Buffer.
  if (source) for (let i = 0; i < uuidBytes; i++) target[at + i] = source[call.at + i]!
  else if (!writeUuid(terms.requestId, target, at)) return false
  target.writeUInt32LE(kind, at + kindAt)
  target.writeUInt32LE(call.timeMs - fromMs, at + timeAt)
  target.writeUInt32LE(call.durationUs, at + durationAt)
  return true
}

/** A block as it is stored. */
export interface BlockRow {
  readonly from_ms: number
  readonly to_ms: number
  readonly calls: Buffer
}

/** A call of a block. */
export interface BlockCall {
  readonly id: Buffer
  readonly kind: number
  readonly time_ms: number
  readonly duration_us: number
}

/** Yields the calls of a block, the newest first. */
export function* readBlock({ from_ms, calls }: BlockRow): Generator<BlockCall> {
  for (let at = calls.length - requestRowBytes; at >= 0; at -= requestRowBytes) yield readRow(calls, at, from_ms)
}

const readRow = (calls: Buffer, at: number, fromMs: number): BlockCall => ({
  id: calls.subarray(at, at + uuidBytes),
  kind: calls.readUInt32LE(at + kindAt),
  time_ms: fromMs + calls.readUInt32LE(at + timeAt),
  duration_us: calls.readUInt32LE(at + durationAt),
})

/** Returns the ids of the calls of a block, as text. */
export function listIds({ calls }: BlockRow): string[] {
  const ids: string[] = []
  for (let at = 0; at < calls.length; at += requestRowBytes) ids.push(readUuid(calls, at))
  return ids
}

/** Returns the part of a block from a time, which is within it. */
export function trimBlock({ from_ms, to_ms, calls }: BlockRow, startMs: number): BlockRow {
  let at = 0
  while (from_ms + calls.readUInt32LE(at + timeAt) < startMs) at += requestRowBytes
  const fromMs = from_ms + calls.readUInt32LE(at + timeAt)
  const rest = Buffer.from(calls.subarray(at))
  for (let row = 0; row < rest.length; row += requestRowBytes)
    rest.writeUInt32LE(rest.readUInt32LE(row + timeAt) - (fromMs - from_ms), row + timeAt)
  return { from_ms: fromMs, to_ms, calls: rest }
}
