import { type PictureSize, pictureSizeNames, pictureSizes } from '../domain/picture.ts'
import type { OpenImage } from './image-library.ts'

/** A picture in each size, as JPEG without metadata. */
export type SizedPicture = Readonly<Record<PictureSize, Buffer>>

const quality = 82
/** Maximum time for one size, in seconds. */
const maxSeconds = 10

/** Makes all sizes of a picture. Each is made from the next larger one. Throws for what cannot be decoded. */
export async function makeSizes(open: OpenImage, picture: Buffer): Promise<SizedPicture> {
  const sizes: Partial<Record<PictureSize, Buffer>> = {}
  let from = picture
  for (const name of pictureSizeNames.toReversed()) {
    const side = pictureSizes[name]
    from = await open(from)
      .rotate()
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#fff' })
      .jpeg({ quality })
      .timeout({ seconds: maxSeconds })
      .toBuffer()
    sizes[name] = from
  }
  return sizes as SizedPicture
}
