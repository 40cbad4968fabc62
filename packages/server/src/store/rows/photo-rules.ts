import type { Erased } from '../../domain/erased.ts'
import type { Id } from '../../domain/id.ts'
import { type OwnedPhoto, ownPhotos, type Photo, parsePhotoId } from '../../domain/photo.ts'
import type { Batch } from './batch.ts'
import type { Decisions } from './decision-rules.ts'
import { withoutErasedPhotos, withoutErasedReviewPhotos } from './kept-photos.ts'
import type { LocationWriter } from './location-rules.ts'
import { toReview, toReviewValues } from './review-row.ts'
import type { StoredReviews } from './review-rules.ts'

/** The stores that an erasure of a photo reads and writes. */
export interface PhotoStores {
  readonly locations: Pick<LocationWriter, 'read' | 'put'>
  readonly reviews: StoredReviews
  readonly decisions: Decisions
}

/** One erasure: its batch, and the function that commits its decision and record. */
export interface PhotoStep {
  readonly batch: Batch
  commit(work: () => void): void
}

/**
 * Erases a photo from its record, for all later imports as well. Undefined if the record does not have it; then
 * nothing is recorded.
 */
export function erasePhoto(stores: PhotoStores, photoId: string, step: PhotoStep): Erased | undefined {
  const owner = parsePhotoId(photoId)
  if (!owner) return undefined
  const erase = (photo: OwnedPhoto | undefined, store: () => void): Erased | undefined => {
    if (!photo) return undefined
    step.commit(() => stores.decisions.erasePhoto(photoId, step.batch.atMs))
    store()
    return { ids: [], removed: 1, texts: [JSON.stringify(photo.photo)] }
  }
  const find = (photos: readonly Photo[] | undefined) => ownPhotos(owner, photos).find(one => one.photoId === photoId)
  if (owner.origin === 'review') return eraseOfReview(stores, owner.id, { erase, find, step })
  const place = stores.locations.read(owner.id)
  if (!place) return undefined
  return erase(find(place.location.photoList), () => {
    const location = withoutErasedPhotos(owner.id, place.location, stores.decisions)
    stores.locations.put(owner.id, { ...place, location }, step.batch)
  })
}

interface Erasing {
  erase(photo: OwnedPhoto | undefined, store: () => void): Erased | undefined
  find(photos: readonly Photo[] | undefined): OwnedPhoto | undefined
  readonly step: PhotoStep
}

function eraseOfReview({ reviews, decisions }: PhotoStores, id: Id, { erase, find, step }: Erasing) {
  const shown = reviews.shown.get(id)
  const row = shown ?? reviews.hidden.get(id)
  if (!row) return undefined
  const review = toReview(reviews, row)
  return erase(find(review.photos), () => {
    const kept = {
      ...withoutErasedReviewPhotos(review, decisions),
      ...(row.user_key !== null && { userKey: row.user_key }),
    }
    const rows = shown ? reviews.shown : reviews.hidden
    rows.put(row, toReviewValues(kept), id)
    if (shown) step.batch.changes.upserted('review', id)
  })
}
