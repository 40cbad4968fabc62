import type { PictureFiles } from './picture-files.ts'

/** Dependencies and bounds of a sweep. */
export interface PictureSweep {
  readonly files: PictureFiles
  readonly maxBytes: number
  readonly nowMs: number
  /** Returns true if a record still has the photo. */
  exists(photoId: string): Promise<boolean>
}

/** Age of a draft after which its process must have been killed, in milliseconds. */
const staleMs = 10 * 60_000

/** Removes kept pictures of photos that no record has any more, and then the oldest ones beyond the maximum size. */
export async function sweepPictures({ files, maxBytes, nowMs, exists }: PictureSweep): Promise<void> {
  let total = 0
  const kept = (await files.list(nowMs - staleMs)).toSorted((a, b) => b.writtenMs - a.writtenMs)
  for (const { photoId, bytes } of kept) {
    if (total + bytes <= maxBytes && (await exists(photoId))) total += bytes
    else await files.remove(photoId)
  }
}
