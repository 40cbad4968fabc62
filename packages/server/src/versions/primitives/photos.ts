import type { OwnedPhoto } from '../../domain/photo.ts'
import { fitPicture, type PictureSize, pictureSizeNames, pictureSizes } from '../../domain/picture.ts'
import { Type } from '../../kit/json-schema.ts'
import { toLongJson } from '../../kit/long-json.ts'
import type { Json } from '../version.ts'
import { int64Id, listOf, object, oneOf, optional, ref, string, uri } from './schema.ts'

/**
 * Presents a photo of a location; the same in all versions. With `picturesUrl`, the URL below which the service has
 * pictures, they have its URLs instead of those of their sources.
 */
export const presentPhoto = (
  { origin, id, photoId, photo }: OwnedPhoto,
  { picturesUrl }: { readonly picturesUrl?: string | undefined } = {},
): Json => ({
  id: photoId,
  ...(picturesUrl === undefined
    ? { url: photo.url, width: photo.width, height: photo.height }
    : presentSize(photo, 'large', `${picturesUrl}/${photoId}`)),
  sizes:
    picturesUrl === undefined
      ? undefined
      : pictureSizeNames.map(size => ({ size, ...presentSize(photo, size, `${picturesUrl}/${photoId}`) })),
  caption: photo.caption,
  attribution: photo.attribution,
  license: photo.license,
  source_url: photo.sourceUrl,
  origin,
  review_id: origin === 'review' ? toLongJson(id) : undefined,
})

const presentSize = (photo: OwnedPhoto['photo'], size: PictureSize, url: string) => ({
  url: `${url}/${size}`,
  ...fitPicture(photo, size),
})

const pixels = (description: string) => Type.Integer({ minimum: 1, description })

const Photo = object(
  {
    id: string('Id of the photo, which stays the same as long as its URL does.'),
    url: uri('URL of the picture.'),
    width: optional(pixels('Width in pixels.')),
    height: optional(pixels('Height in pixels.')),
    sizes: optional(
      listOf(
        ref('PhotoSize'),
        'The picture in several sizes, if the service makes them; `url` is the largest one then.',
      ),
    ),
    caption: optional(string('What the photo shows, as its source says.')),
    attribution: optional(string('Author or owner of the photo. Show it next to the photo.')),
    license: optional(string('Licence of the photo, such as `CC-BY-4.0`.')),
    source_url: optional(uri('Page of the photo at its source.')),
    origin: oneOf(['operator', 'review'], '`operator`: a photo of the record. `review`: a photo of a review.'),
    review_id: optional(int64Id('Id of the review that has the photo.')),
  },
  'A photo of a location.',
)

const PhotoSize = object(
  {
    size: oneOf(
      pictureSizeNames,
      `Longest side: ${pictureSizeNames.map(name => `${name} ${pictureSizes[name]}`).join(', ')} pixels.`,
    ),
    url: uri('URL of the picture in this size, as JPEG.'),
    width: optional(pixels('Width in pixels.')),
    height: optional(pixels('Height in pixels.')),
  },
  'A picture in one size.',
)

/** Components of the list of photos. */
export const photoComponents = { Photo, PhotoSize }
