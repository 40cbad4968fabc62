import type { Id } from '../../domain/id.ts'
import type { Location } from '../../domain/location.ts'
import { ownPhotos, type Photo, type PhotoOrigin } from '../../domain/photo.ts'
import type { LocationWrite } from '../../domain/record-write.ts'
import type { Review } from '../../domain/review.ts'
import type { Decisions } from './decision-rules.ts'

/** Returns the write of a location without its erased photos. */
export const withoutErased = (write: LocationWrite, decisions: Decisions): LocationWrite =>
  write.op === 'put' ? { ...write, location: withoutErasedPhotos(write.id, write.location, decisions) } : write

/** Returns a location without its erased photos. */
export function withoutErasedPhotos(id: Id, location: Location, decisions: Decisions): Location {
  const kept = keptPhotos('operator', id, location.photoList, decisions)
  if (kept === location.photoList) return location
  const photos = kept && { totalCount: kept.length }
  return withoutMissing({ ...location, photos, photoList: kept })
}

/** Returns a review without its erased photos. */
export function withoutErasedReviewPhotos(review: Review, decisions: Decisions): Review {
  const kept = keptPhotos('review', review.id, review.photos, decisions)
  return kept === review.photos ? review : withoutMissing({ ...review, photos: kept })
}

/** Returns `photos` itself if no photo is erased, and undefined if all are. */
function keptPhotos(
  origin: PhotoOrigin,
  id: Id,
  photos: readonly Photo[] | undefined,
  decisions: Decisions,
): readonly Photo[] | undefined {
  if (!photos) return photos
  const kept = ownPhotos({ origin, id }, photos).filter(({ photoId }) => !decisions.isErasedPhoto(photoId))
  if (kept.length === photos.length) return photos
  return kept.length > 0 ? kept.map(({ photo }) => photo) : undefined
}

/** Removes undefined members, and keeps the order of the others. */
const withoutMissing = <T extends object>(record: { [K in keyof T]: T[K] | undefined }): T =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as T
