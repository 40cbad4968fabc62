import { digestText } from '../kit/text-digest.ts'
import { type Id, parseId } from './id.ts'

/** A photo as its record has it. */
export interface Photo {
  /** Absolute http or https URL of the picture at its source. */
  readonly url: string
  /** Width in pixels; present if and only if `height` is. */
  readonly width?: number
  readonly height?: number
  readonly caption?: string
  /** Name of the author or owner, as it must be shown. */
  readonly attribution?: string
  readonly license?: string
  /** URL of the page that describes the photo at its source. */
  readonly sourceUrl?: string
}

/** Maximum number of photos that a record keeps. */
export const maxPhotos = { location: 100, review: 20 } as const

/** Kinds of records that have photos: those of locations are by the operator. */
export type PhotoOrigin = 'operator' | 'review'

/** The record that has a photo. */
export interface PhotoOwner {
  readonly origin: PhotoOrigin
  /** Id of the location, or of the review. */
  readonly id: Id
}

/** A photo of a location, and the record that has it. */
export interface OwnedPhoto extends PhotoOwner {
  readonly photoId: string
  readonly photo: Photo
}

/**
 * Returns the id of a photo: its record and a digest of its URL, so that imports of the same photo keep it and no table
 * has to assign it. Only a client that knows the URL can guess it.
 */
export function photoIdOf({ origin, id }: PhotoOwner, { url }: Photo): string {
  return `${origin === 'review' ? 'r' : 'l'}${id}-${digestText(url, digestLength)}`
}

/** Length of the digest in the id of a photo. */
const digestLength = 24

/** Form of the ids of photos. */
export const photoIdPattern = `^[lr][1-9]\\d{0,18}-[0-9a-f]{${digestLength}}$`
const photoIdForm = new RegExp(photoIdPattern)

/** Returns the record that a photo id names; undefined if the text is not the id of a photo. */
export function parsePhotoId(text: string): PhotoOwner | undefined {
  if (!photoIdForm.test(text)) return undefined
  const id = parseId(text.slice(1, text.indexOf('-')))
  return id === undefined ? undefined : { origin: text.startsWith('r') ? 'review' : 'operator', id }
}

/** Returns the photos of a record with their ids. */
export const ownPhotos = (owner: PhotoOwner, photos: readonly Photo[] = []): OwnedPhoto[] =>
  photos.map(photo => ({ origin: owner.origin, id: owner.id, photoId: photoIdOf(owner, photo), photo }))
