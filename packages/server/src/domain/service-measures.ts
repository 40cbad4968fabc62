import type { RecentWarning } from '../kit/recent-warnings.ts'

/** Measures of the serving process since its start, and the latest warnings of its log. */
export interface ServiceMeasures {
  /** Start of the process, in milliseconds since 1970. */
  readonly startedMs: number
  readonly memory: { readonly usedBytes: number; readonly availableBytes: number }
  readonly responses: {
    readonly all: number
    readonly failed: number
    /** Upper bound of the time in which 99 % of the calls of partners were answered; missing below 100 calls. */
    readonly mostWithinMs?: number
  }
  /** Number of calls that a limit refused. */
  readonly refused: number
  /** Connections to the partner port. */
  readonly connections: { readonly open: number; readonly unsentBytes: number; readonly ended: number }
  /** Lookups in the location cache. */
  readonly cache: { readonly hits: number; readonly misses: number }
  /** Packed bodies of places. */
  readonly packed: { readonly places: number; readonly failures: number }
  /** Time of the latest change in the data, in milliseconds since 1970; missing without changes. */
  readonly changedMs?: number
  /** Number of feeds whose builds are withheld. */
  readonly withheldFeeds: number
  readonly journal: {
    /** Message for the operator while the journal cannot be written. */
    readonly failure?: string
    readonly lagRecords: number
    /** Upper bound of the age of the oldest record that is not folded, in seconds. */
    readonly lagSeconds: number
    readonly lostFiles: number
  }
  /** Missing until the index is loaded. */
  readonly index?: {
    readonly places: number
    /** Sequence number of the latest change in the index. */
    readonly revision: number
    /** Time since the main part of the index was built, in milliseconds. */
    readonly ageMs: number
    readonly changesBehind: number
    readonly overlayChanges: number
  }
  /** Work that changes the data folder, of any process. */
  readonly running: { readonly isImporting: boolean; readonly isBuildingFeeds: boolean }
  readonly indexFailures: number
  readonly storeFailures: number
  readonly threads: readonly { readonly name: string; readonly up: boolean; readonly restarts: number }[]
  readonly queries: { readonly waiting: number; readonly refused: number }
  readonly freeBytes: number
  /** Oldest first. */
  readonly warnings: readonly RecentWarning[]
}
