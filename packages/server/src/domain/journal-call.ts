import { readUuid } from '../kit/uuid.ts'
import type { UsageRecord } from './usage.ts'

/** A call of the journal, decoded as far as summing requires. */
export interface JournalCall {
  /** The record of the call, or the one of a line that it shares with other calls. */
  readonly terms: UsageRecord
  /** Buffer with the id of a call that shares its terms; undefined if `terms` is the record of the call. */
  readonly source: Buffer | undefined
  /** Offset of the id in `source`. */
  readonly at: number
  /** Hash of the id, of 64 bits. */
  readonly idLow: number
  readonly idHigh: number
  readonly timeMs: number
  readonly durationUs: number
  /** `tatUs` of the mark of a call that shares its terms. */
  readonly tatUs: number
}

/** Returns the usage record of a call. */
export function toRecord({ terms, source, at, timeMs, durationUs, tatUs }: JournalCall): UsageRecord {
  if (!source) return terms
  const marks = terms.marks.map(mark => ({ ...mark, tatUs }))
  return { ...terms, requestId: readUuid(source, at), timeMs, durationUs, marks }
}
