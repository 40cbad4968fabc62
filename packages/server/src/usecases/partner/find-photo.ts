import type { LocationReader } from '../../domain/data-stores.ts'
import type { Id } from '../../domain/id.ts'
import { ownPhotos, type Photo, parsePhotoId } from '../../domain/photo.ts'
import type { Review } from '../../domain/review.ts'
import type { PhotoStores } from './list-photos.ts'

/** A photo and its location. */
export interface FoundPhoto {
  readonly photo: Photo
  readonly locationId: Id
}

/** Stores that one photo is read from. */
interface OwnerStores {
  readonly locations: Pick<LocationReader, 'get'>
  findReview(id: Id): Promise<Review | undefined>
}

/** Finds a photo by its id; undefined if no record has it. */
export async function findPhoto(
  { locations, findReview }: OwnerStores,
  photoId: string,
): Promise<FoundPhoto | undefined> {
  const owner = parsePhotoId(photoId)
  if (!owner) return undefined
  const pick = (locationId: Id, photos: readonly Photo[] | undefined) => {
    const found = ownPhotos(owner, photos).find(one => one.photoId === photoId)
    return found && { photo: found.photo, locationId }
  }
  if (owner.origin === 'review') {
    const review = await findReview(owner.id)
    return review && pick(review.locationId, review.photos)
  }
  const entry = await locations.get(owner.id)
  // The id of a merged location leads to its survivor, which has other photos.
  return entry?.id === owner.id ? pick(entry.id, entry.location().photoList) : undefined
}

/** Finds a photo that is neither hidden nor erased. */
export async function findShownPhoto(
  { locations, reviews, photos }: PhotoStores,
  photoId: string,
): Promise<Photo | undefined> {
  const found = await findPhoto({ locations, findReview: id => reviews.get(id) }, photoId)
  return found && (await photos.findHidden([photoId])).size === 0 ? found.photo : undefined
}
