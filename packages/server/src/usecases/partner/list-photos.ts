import type { LocationReader, ReviewReader } from '../../domain/data-stores.ts'
import { type Fault, isFault } from '../../domain/fault.ts'
import type { Id } from '../../domain/id.ts'
import type { ListPosition, PageEnd } from '../../domain/list-position.ts'
import type { LocationEntry } from '../../domain/location.ts'
import { type OwnedPhoto, ownPhotos } from '../../domain/photo.ts'
import type { PhotoDecisions } from '../../domain/photo-decisions.ts'
import type { Scope } from '../../domain/scope.ts'
import { hashText } from '../../kit/hash-text.ts'
import { continueList, type ListPart } from './continue-list.ts'
import { getLocation } from './get-location.ts'

/** Stores that the photos of locations are read from. */
export interface PhotoStores {
  readonly locations: LocationReader
  readonly reviews: ReviewReader
  readonly photos: Pick<PhotoDecisions, 'findHidden'>
}

/** One page of a location's photos. */
export interface PhotoPage extends PageEnd {
  readonly photos: readonly OwnedPhoto[]
  /** Number of photos on all pages. */
  readonly total: number
}

/** The page that is asked for. */
interface PhotosRequest {
  readonly page: number
  readonly size: number
  /** Begins the page behind a position of an earlier one, in place of `page`. */
  readonly position?: ListPosition | undefined
}

/** Maximum number of reviews whose photos are listed, which bounds the cost of a page. */
const maxReviews = 500

/** Lists the photos of a location or of its survivor; a fault if the location does not exist in this scope. */
export async function listPhotos(
  stores: PhotoStores,
  scope: Scope,
  id: Id,
  { page, size, position }: PhotosRequest,
): Promise<PhotoPage | Fault> {
  const location = await getLocation(stores.locations, scope, id)
  if (isFault(location)) return location
  const all = await readPhotos(stores, location)
  const hidden = await stores.photos.findHidden(all.map(({ photoId }) => photoId))
  const shown = all.filter(({ photoId }) => !hidden.has(photoId))
  const hits = shown.map(photo => ({ id: BigInt(hashText(photo.photoId)), photo }))
  const read = ({ offset, limit }: ListPart) => ({ hits: hits.slice(offset, offset + limit), total: hits.length })
  const found = await continueList(position, { offset: (page - 1) * size, limit: size }, read)
  return { ...found, photos: found.hits.map(({ photo }) => photo) }
}

/** Returns the photos of a location, hidden ones included: its own, and those of its newest reviews with photos. */
export async function readPhotos(
  { reviews }: Pick<PhotoStores, 'reviews'>,
  location: LocationEntry,
): Promise<readonly OwnedPhoto[]> {
  const own = ownPhotos({ origin: 'operator', id: location.id }, location.location().photoList)
  const photographed = await reviews.withPhotos(location.id, maxReviews)
  return [...own, ...photographed.flatMap(({ id, photos }) => ownPhotos({ origin: 'review', id }, photos))]
}
