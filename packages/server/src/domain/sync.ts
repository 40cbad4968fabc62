import type { ImportInput, ImportReport } from './import.ts'
import type { RecordKind } from './record-write.ts'

/** State of a sync from a database or from the feeds of another service, after its last run. */
export interface SyncState {
  readonly name: string
  /** Digest of the settings that decide which rows are read; after a change of these, a sync starts over. */
  readonly origin: string
  /** Value of the cursor column up to which rows are stored; undefined before the first, and for feeds. */
  readonly position?: string
  readonly last: SyncOutcome
}

/** Counts of the rows of a sync, over all runs. */
export type SyncCounts = Readonly<Pick<ImportReport, 'read' | 'added' | 'changed' | 'removed' | 'rejected'>>

/** Result of the runs of a sync so far. */
export interface SyncOutcome {
  /** Number of runs. */
  readonly runs: number
  readonly counts: SyncCounts
  /** End of the last run. */
  readonly endedMs?: number
  /** End of the last run without a failure. */
  readonly succeededMs?: number
  /** Number of failed runs since then. */
  readonly failures: number
  /** Reason of the last failure, a sentence; undefined after a success. */
  readonly failure?: string
}

/** Result of no run. */
export const noRuns: SyncOutcome = {
  runs: 0,
  counts: { read: 0, added: 0, changed: 0, removed: 0, rejected: 0 },
  failures: 0,
}

/** The states of all syncs. */
export interface SyncStore {
  find(name: string): Promise<SyncState | undefined>
  list(): Promise<readonly SyncState[]>
  put(state: SyncState): Promise<void>
  /** Returns false for a sync that never ran. */
  remove(name: string): Promise<boolean>
}

/** Rows that a sync reads in one run. */
export interface SyncRows {
  readonly inputs: readonly SyncInput[]
  /** Returns how many of the rows read so far, the first ones, earlier runs have read. */
  known(): number
  /** Position after all rows; undefined if the rows have positions. */
  readonly position?: string
  /** Called when all rows are stored. */
  done(): Promise<void>
  close(): Promise<void>
  /** Returns sentences about rows that later runs will not read. */
  notes(): readonly string[]
}

/** One input of a run. */
export interface SyncInput {
  readonly input: ImportInput
  readonly kind: RecordKind | undefined
}

/** A source of rows. Its methods throw SyncFailed, with a sentence for the operator. */
export interface SyncSource {
  readonly origin: string
  /** True if rows that are complete were verified, so that what they lack is removed without a question. */
  readonly removesMissing: boolean
  /**
   * Fetches what need not wait for other imports. `isComplete` is true if the rows will be all that the source has.
   */
  prepare(position: string | undefined): Promise<{ readonly isComplete: boolean }>
  /** Opens the rows after a position; undefined without rows. */
  open(position: string | undefined): Promise<SyncRows | undefined>
}

/** Error of a source that cannot be read, with a user-facing message. */
export class SyncFailed extends Error {}
