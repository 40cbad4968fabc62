import { createRequire } from 'node:module'

/** The part of sharp that is used. It is optional, so that its types may be missing. */
interface Sharp {
  (input: Buffer, options: { limitInputPixels: number; failOn: string; animated: boolean }): SharpImage
  block(options: { operation: string[] }): void
  unblock(options: { operation: string[] }): void
  cache(options: boolean): void
  concurrency(threads: number): void
}

/** An image in work. */
export interface SharpImage {
  /** Turns the image as its EXIF says. */
  rotate(): SharpImage
  resize(options: { width: number; height: number; fit: string; withoutEnlargement: boolean }): SharpImage
  flatten(options: { background: string }): SharpImage
  jpeg(options: { quality: number }): SharpImage
  timeout(options: { seconds: number }): SharpImage
  toBuffer(): Promise<Buffer>
}

/** Maximum number of pixels of a picture at its source. */
const maxInputPixels = 50_000_000

/** Opens an image; its work throws if the bytes cannot be decoded. */
export type OpenImage = (bytes: Buffer) => SharpImage

/** Loads the library; undefined if it is not installed. Only the decoders of common pictures are enabled. */
export function loadImageLibrary(): OpenImage | undefined {
  let sharp: Sharp
  try {
    sharp = createRequire(import.meta.url)('sharp') as Sharp
  } catch {
    return undefined
  }
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: ['Jpeg', 'Png', 'Webp', 'Nsgif'].map(format => `VipsForeignLoad${format}Buffer`) })
  sharp.cache(false)
  sharp.concurrency(1)
  return bytes => sharp(bytes, { limitInputPixels: maxInputPixels, failOn: 'error', animated: false })
}
