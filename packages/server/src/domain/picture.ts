import type { Photo } from './photo.ts'

/** Longest side of each size of a kept picture, in pixels. Pictures are never enlarged. */
export const pictureSizes = { thumbnail: 150, small: 320, medium: 640, large: 1280 } as const
export type PictureSize = keyof typeof pictureSizes
export const pictureSizeNames = Object.keys(pictureSizes) as readonly PictureSize[]

/**
 * The reason why a picture is not available. `busy`: too many pictures are being fetched. `pending`: it is still being
 * fetched. The others are remembered for a while.
 */
export type PictureFailure =
  | 'busy'
  | 'pending'
  | 'address_refused'
  | 'unreachable'
  | 'refused'
  | 'too_large'
  | 'not_a_picture'

/** A request for a picture. */
export interface PictureRequest {
  readonly photoId: string
  /** URL of the picture at its source. */
  readonly url: string
  readonly size: PictureSize
  /** Network address of the client: clients take turns. */
  readonly subject: string
}

/** Pictures that the service fetches from their sources and keeps. */
export interface Pictures {
  /** Returns a picture as JPEG; fetches it first if it is not kept. */
  get(request: PictureRequest): Promise<Buffer | PictureFailure>
}

/** Returns width and height of a photo in a size; undefined if the photo has none. */
export function fitPicture(
  { width, height }: Pick<Photo, 'width' | 'height'>,
  size: PictureSize,
): { readonly width: number; readonly height: number } | undefined {
  if (width === undefined || height === undefined) return undefined
  const scale = Math.min(1, pictureSizes[size] / Math.max(width, height))
  const fit = (pixels: number) => Math.max(1, Math.round(pixels * scale))
  return { width: fit(width), height: fit(height) }
}
