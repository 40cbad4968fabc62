import type { RecentWarning } from '../kit/recent-warnings.ts'

/** Measures of the serving process since its start, and the latest warnings of its log. */
export interface ServiceMeasures {
  /** Start of the process, in milliseconds since 1970. */
  readonly startedMs: number
  readonly memory: { readonly usedBytes: number; readonly availableBytes: number }
  readonly responses: { readonly all: number; readonly failed: number }
  readonly connections: number
  readonly journal: {
    /** Message for the operator while the journal cannot be written. */
    readonly failure?: string
    readonly lagRecords: number
    /** Upper bound of the age of the oldest record that is not folded, in seconds. */
    readonly lagSeconds: number
    readonly lostFiles: number
  }
  /** Missing until the index is loaded. */
  readonly index?: { readonly places: number; readonly changesBehind: number; readonly overlayChanges: number }
  readonly indexFailures: number
  readonly storeFailures: number
  readonly threads: readonly { readonly name: string; readonly up: boolean; readonly restarts: number }[]
  readonly queries: { readonly waiting: number; readonly refused: number }
  readonly freeBytes: number
  /** Oldest first. */
  readonly warnings: readonly RecentWarning[]
}
