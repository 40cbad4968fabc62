import type { Erasure } from '../domain/moderation.ts'
import type { ModeratedReview } from '../domain/review-list.ts'
import { count, dateTime, Type } from '../kit/json-schema.ts'
import { toLongJson } from '../kit/long-json.ts'
import { toSnakeCaseJson } from '../kit/to-json.ts'
import { closedObject, formatDateTime, idNumber, idText, type Resource } from './schema.ts'

const members = {
  state: Type.Enum(['shown', 'hidden']),
  published_at: Type.Optional(dateTime()),
  /** The reason why it is hidden. */
  reason: Type.Optional(Type.String()),
  rating: Type.Optional(Type.Number({ minimum: 1, maximum: 5 })),
  language: Type.Optional(Type.String()),
  trip_type: Type.Optional(Type.String()),
  /** Titles, texts and the other members of the stored review. */
  record: Type.Unsafe<object>({ type: 'object' }),
}

export const listedReviewSchema = closedObject({ id: idNumber(), location_id: idNumber(), ...members })

/** The review in the admin API. */
export const apiReviewSchema = closedObject({ id: idText(), location_id: idText(), ...members })

/** Presents a review for moderators. */
export const listedReviewResource = (one: ModeratedReview) => ({
  id: toLongJson(one.review.id),
  location_id: toLongJson(one.review.locationId),
  ...reviewBody(one),
})

/** Presents a review in the admin API. */
export const apiReviewResource = (one: ModeratedReview): Resource<typeof apiReviewSchema> => ({
  id: String(one.review.id),
  location_id: String(one.review.locationId),
  ...reviewBody(one),
})

function reviewBody({ review, state, reason }: ModeratedReview) {
  const { id: _, locationId: __, publishedMs, rating, language, tripType, userKey: ___, ...record } = review
  return {
    state,
    ...(reason !== undefined && { reason }),
    ...(publishedMs !== undefined && { published_at: formatDateTime(publishedMs) }),
    ...(rating !== undefined && { rating }),
    ...(language !== undefined && { language }),
    ...(tripType !== undefined && { trip_type: tripType }),
    record: toSnakeCaseJson(record),
  }
}

/** The state of a moderated review in the admin API. */
export const apiModerationSchema = closedObject({ id: idText(), state: Type.Enum(['hidden', 'shown', 'removed']) })

/** An erasure in the admin API. */
export const apiErasureSchema = closedObject({
  state: Type.Literal('erased'),
  ids: Type.Array(idText()),
  removed: count(),
  removed_copies: Type.Array(Type.String()),
  removed_rejects: count(),
  withdrawn_snapshots: Type.Array(Type.String()),
  /** Remaining work, which the service completes within the hour. */
  pending: Type.Array(Type.Enum(['truncate', 'compact'])),
})

/** Presents an erasure in the admin API. */
export const apiErasureResource = (erasure: Erasure): Resource<typeof apiErasureSchema> => ({
  state: 'erased',
  ids: erasure.ids.map(String),
  removed: erasure.removed,
  removed_copies: [...erasure.removedCopies],
  removed_rejects: erasure.removedRejects,
  withdrawn_snapshots: [...erasure.withdrawnSnapshots],
  pending: [...erasure.pending],
})
