import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import type { Id } from '../../domain/id.ts'
import type { ModeratedPhotos } from '../../domain/moderation.ts'
import { ownPhotos, type Photo, parsePhotoId } from '../../domain/photo.ts'

/** Finds a photo, hidden or not, and its location; undefined if no record has it. */
export async function findPhoto(
  { locations, reviewList }: Pick<ModeratedPhotos, 'locations' | 'reviewList'>,
  photoId: string,
): Promise<{ readonly photo: Photo; readonly locationId: Id } | undefined> {
  const owner = parsePhotoId(photoId)
  if (!owner) return undefined
  const pick = (locationId: Id, photos: readonly Photo[] | undefined) => {
    const found = ownPhotos(owner, photos).find(one => one.photoId === photoId)
    return found && { photo: found.photo, locationId }
  }
  if (owner.origin === 'review') {
    const review = (await reviewList.find(owner.id))?.review
    return review && pick(review.locationId, review.photos)
  }
  const entry = await locations.get(owner.id)
  // The id of a merged location leads to its survivor, which has other photos.
  return entry?.id === owner.id ? pick(entry.id, entry.location().photoList) : undefined
}

/** Returns the fault of a photo that no record has. */
export const photoUnknown = (photo: string): AdminFault => adminFault('photo_unknown', ['id'], { photo })
