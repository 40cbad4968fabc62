import type { RecordKind } from './record-write.ts'

/** Result of a full sync for one kind of records of its source. */
export interface Removal {
  readonly kind: RecordKind
  /** Number of stored records of the source, without records added by these inputs. */
  readonly stored: number
  /** Number of stored records that are in no input. */
  readonly missing: number
  readonly removed: number
}

/** Result of a full sync. */
export interface SyncResult {
  readonly removals: readonly Removal[]
  /** Reason why missing records remain stored. `too_many_missing`: nothing was removed. */
  readonly stopped?: SyncStop
}

/** Reason why a full sync removed fewer records than are missing. */
export type SyncStop =
  | { readonly reason: 'too_many_missing'; readonly source: string; readonly removal: Removal }
  | { readonly reason: 'cancelled' }
