import type { Id } from '../domain/id.ts'
import type { Erasure } from '../domain/moderation.ts'
import { count, Type } from '../kit/json-schema.ts'
import { toLongJson } from '../kit/long-json.ts'
import { closedObject, idNumber } from './schema.ts'

export const moderatedReviewSchema = closedObject({ id: idNumber(), state: Type.Enum(['hidden', 'shown', 'removed']) })

/** Presents a review that was hidden or shown again. */
export const moderatedReviewResource = ({ id, state }: { id: Id; state: 'hidden' | 'shown' | 'removed' }) => ({
  id: toLongJson(id),
  state,
})

const erasureMembers = {
  state: Type.Literal('erased'),
  ids: Type.Array(idNumber()),
  removed: count(),
  removed_copies: Type.Array(Type.String()),
  removed_rejects: count(),
  withdrawn_snapshots: Type.Array(Type.String()),
  pending: Type.Array(Type.Enum(['truncate', 'compact'])),
}

const erasureResource = (erasure: Erasure) => ({
  state: 'erased',
  ids: erasure.ids.map(toLongJson),
  removed: erasure.removed,
  removed_copies: erasure.removedCopies,
  removed_rejects: erasure.removedRejects,
  withdrawn_snapshots: erasure.withdrawnSnapshots,
  pending: erasure.pending,
})

export const erasedReviewSchema = closedObject({ id: idNumber(), ...erasureMembers })

/** Presents the erasure of a review. */
export const erasedReviewResource = (id: Id, erasure: Erasure) => ({ id: toLongJson(id), ...erasureResource(erasure) })

export const erasedReviewerSchema = closedObject({ user: Type.String(), ...erasureMembers })

/** Presents the erasure of a user's reviews. */
export const erasedReviewerResource = (user: string, erasure: Erasure) => ({ user, ...erasureResource(erasure) })
