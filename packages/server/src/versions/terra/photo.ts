import type { Id } from '../../domain/id.ts'
import { toLongJson } from '../../kit/long-json.ts'
import type { PresentedPhoto } from './presented.ts'

/** Converts a photo of a location to the form of Terra. What must be shown next to a photo stays. */
export const toTerraPhoto = (photo: PresentedPhoto, of: Id) => ({
  id: toNumber(photo.id),
  location_id: toLongJson(of),
  caption: photo.caption,
  photo: {
    key: photo.id,
    original_size_url: photo.url,
    original_width: photo.width,
    original_height: photo.height,
    // Pictures that the service keeps are JPEG; it does not look at others.
    media_type: photo.sizes && 'image/jpeg',
  },
  source: { name: photo.origin === 'review' ? 'Traveler' : 'Management' },
  user: photo.attribution === undefined ? undefined : { username: photo.attribution },
  sizes: photo.sizes,
  attribution: photo.attribution,
  license: photo.license,
  source_url: photo.source_url,
  review_id: photo.review_id,
})

/** Returns a 31-bit number made of the digest in the id of a photo: ids of photos are numbers in Terra. */
const toNumber = (id: string): number => Number.parseInt(id.slice(-8), 16) & 0x7f_ff_ff_ff
