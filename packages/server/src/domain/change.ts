import type { Id } from './id.ts'
import type { RecordKind } from './record-write.ts'

/** One line of the change log. The newest line of a record describes its present state. */
export interface Change {
  readonly seq: number
  readonly atMs: number
  readonly kind: RecordKind
  readonly id: Id
  readonly op: 'upsert' | 'delete' | 'merge'
  readonly mergedInto?: Id
}

/** Bounds of one pruning of the change log. */
export interface PruneOptions {
  /** Removes only changes that are older than this time. */
  readonly beforeMs: number
  /** Keeps the line of this number and later ones. */
  readonly keepFromSeq: number
  /** Maximum number of changes to remove. */
  readonly limit: number
}

/** Result of one pruning. `busy`: writers kept the store locked; a later call may succeed. */
export type PruneResult = { readonly removed: number } | 'busy'
