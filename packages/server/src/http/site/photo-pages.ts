import fresh from 'fresh'
import { type PictureFailure, type PictureSize, type Pictures, pictureSizeNames } from '../../domain/picture.ts'
import { findShownPhoto } from '../../usecases/partner/find-photo.ts'
import type { PhotoStores } from '../../usecases/partner/list-photos.ts'
import type { HttpResponse } from '../wire/http-response.ts'
import { computeEtag } from '../wire/rendered.ts'
import type { SitePage, SiteRequest } from './page.ts'

/** Dependencies of the pictures of photos. */
export interface PhotoPages extends PhotoStores {
  readonly pictures: Pictures
}

/** Creates the address of the pictures that the service keeps. It needs no key: pages embed pictures. */
export const createPhotoPages = (parts: PhotoPages): SitePage[] => [
  { path: '/photos/:id/:size', get: request => getPicture(parts, request) },
]

async function getPicture(parts: PhotoPages, request: SiteRequest): Promise<HttpResponse | undefined> {
  const { id: photoId = '', size } = request.params
  if (!isSize(size)) return undefined
  const photo = await findShownPhoto(parts, photoId)
  if (!photo) return undefined
  const picture = await parts.pictures.get({ photoId, url: photo.url, size, subject: request.address })
  return Buffer.isBuffer(picture) ? toPicture(picture, request) : toFailure(picture)
}

const isSize = (text: string | undefined): text is PictureSize => pictureSizeNames.some(size => size === text)

function toPicture(body: Buffer, { headers: sent }: SiteRequest): HttpResponse {
  const ETag = computeEtag(body)
  const headers = { ETag, 'Cache-Control': 'public, max-age=86400' }
  return fresh({ 'if-none-match': sent['if-none-match'] }, { etag: ETag })
    ? { status: 304, headers, body: undefined }
    : { status: 200, headers: { ...headers, 'Content-Type': 'image/jpeg' }, body }
}

const failures: Readonly<Record<PictureFailure, string>> = {
  busy: 'Too many pictures are being fetched. Try again later.',
  pending: 'The picture is being fetched from its source. Try again later.',
  address_refused: 'The address of this picture is not a public one.',
  unreachable: 'The source of this picture does not answer.',
  refused: 'The source of this picture does not send it.',
  too_large: 'This picture is too large.',
  not_a_picture: 'The source sends no picture that can be read.',
}

/** Returns 503 for a picture that may follow soon, and 404 for one that its source does not send. */
function toFailure(failure: PictureFailure): HttpResponse {
  const isTemporary = failure === 'busy' || failure === 'pending'
  return {
    status: isTemporary ? 503 : 404,
    headers: {
      'Content-Type': 'text/plain; charset=utf-8',
      ...(isTemporary
        ? { 'Cache-Control': 'no-store', 'Retry-After': '5' }
        : { 'Cache-Control': 'public, max-age=300' }),
    },
    body: Buffer.from(`${failures[failure]}\n`),
  }
}
