import { dayMs } from '../kit/time.ts'
import type { Id } from './id.ts'
import type { ScanQuery } from './review-list.ts'

/** Time for which scans are kept, in milliseconds. */
export const scansKeptMs = dayMs

/** A scan, and the ids of the reviews that it has found so far, newest first. */
export interface FoundByScan {
  readonly query: ScanQuery
  readonly ids: readonly Id[]
}

/**
 * The queries and results of scans by their jobs, kept for a day. They are no part of the records of jobs, because
 * they may name a user or repeat a text: an erasure removes all of them.
 */
export interface ReviewScans {
  create(scan: string, query: ScanQuery): Promise<void>
  /** Returns undefined if the scan never existed, has expired, or was removed. */
  read(scan: string): Promise<FoundByScan | undefined>
  /** Adds reviews to the result; returns false if the scan was removed. */
  add(scan: string, ids: readonly Id[]): Promise<boolean>
  remove(scan: string): Promise<void>
  /** Removes all scans. */
  clear(): Promise<void>
}
