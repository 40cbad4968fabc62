import type { Id } from './id.ts'
import type { RecordKind } from './record-write.ts'

/** An entry of the change log. The newest entry of a record describes its current state. */
export interface Change {
  readonly seq: number
  readonly atMs: number
  readonly kind: RecordKind
  readonly id: Id
  readonly op: 'upsert' | 'delete' | 'merge'
  readonly mergedInto?: Id
}

/** Limits of one removal of old changes from the change log. */
export interface PruneOptions {
  /** Removes only changes before this time. */
  readonly beforeMs: number
  /** Keeps the change with this number and later ones. */
  readonly keepFromSeq: number
  /** Maximum number of changes to remove. */
  readonly limit: number
}

/** Result of removing old changes. `busy`: writers kept the store locked; a later call may succeed. */
export type PruneResult = { readonly removed: number } | 'busy'
