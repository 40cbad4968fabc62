import type { OwnedPhoto } from '../../domain/photo.ts'
import { Type } from '../../kit/json-schema.ts'
import { toLongJson } from '../../kit/long-json.ts'
import type { Json } from '../version.ts'
import { int64Id, object, oneOf, optional, string, uri } from './schema.ts'

/** Presents a photo of a location; the same in all versions. */
export const presentPhoto = ({ origin, id, photoId, photo }: OwnedPhoto): Json => ({
  id: photoId,
  url: photo.url,
  width: photo.width,
  height: photo.height,
  caption: photo.caption,
  attribution: photo.attribution,
  license: photo.license,
  source_url: photo.sourceUrl,
  origin,
  review_id: origin === 'review' ? toLongJson(id) : undefined,
})

const pixels = (description: string) => Type.Integer({ minimum: 1, description })

const Photo = object(
  {
    id: string('Id of the photo, which stays the same as long as its URL does.'),
    url: uri('URL of the picture.'),
    width: optional(pixels('Width in pixels.')),
    height: optional(pixels('Height in pixels.')),
    caption: optional(string('What the photo shows, as its source says.')),
    attribution: optional(string('Author or owner of the photo. Show it next to the photo.')),
    license: optional(string('Licence of the photo, such as `CC-BY-4.0`.')),
    source_url: optional(uri('Page of the photo at its source.')),
    origin: oneOf(['operator', 'review'], '`operator`: a photo of the record. `review`: a photo of a review.'),
    review_id: optional(int64Id('Id of the review that has the photo.')),
  },
  'A photo of a location.',
)

/** Components of the list of photos. */
export const photoComponents = { Photo }
