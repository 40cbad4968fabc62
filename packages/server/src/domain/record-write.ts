import type { Id } from './id.ts'
import type { Location, ScopeFacts } from './location.ts'
import type { Review } from './review.ts'

/** The kinds of records in imports and in the change log. */
export type RecordKind = 'location' | 'review'

/**
 * Outcome of one write. `erased`: an operator has erased the review or its user, so it is not stored. `merged`: an
 * operator has merged the location into another, so it is not stored.
 */
export type WriteOutcome = 'added' | 'changed' | 'unchanged' | 'removed' | 'merge_cycle' | 'erased' | 'merged'

/** The identifier of a record in a source. It has `sourceId`, or `id`, or both. */
export interface ExternalKey {
  readonly source: string
  readonly sourceId?: string
  readonly id?: Id
}

/** The id of an external key, or the reason why none was assigned. */
export type IdAssignment =
  | { readonly id: Id }
  | { readonly conflict: 'id_taken' | 'id_changed'; readonly heldBy: string }
  | { readonly conflict: 'erased' }

/** A reference to a location, by id or by external key. */
export type LocationRef = { readonly id: Id } | { readonly source: string; readonly sourceId: string }

/** One write to a location. `merge` replaces the location by another one, to which its reviews are moved. */
export type LocationWrite =
  | ({ readonly op: 'put'; readonly id: Id; readonly location: Location } & ScopeFacts)
  | { readonly op: 'delete'; readonly id: Id }
  | { readonly op: 'merge'; readonly id: Id; readonly into: Id }

/** One write to a review. */
export type ReviewWrite = { readonly op: 'put'; readonly review: Review } | { readonly op: 'delete'; readonly id: Id }
