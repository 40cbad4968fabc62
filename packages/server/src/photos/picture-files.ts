import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type PictureSize, pictureSizeNames } from '../domain/picture.ts'
import { digestText } from '../kit/text-digest.ts'
import type { SizedPicture } from './make-sizes.ts'

/** The files of one kept picture. */
export interface KeptPicture {
  readonly photoId: string
  readonly bytes: number
  readonly writtenMs: number
}

const ending = '.jpg'

/** The kept pictures in a folder: `ab/<photo id>-<size>.jpg`, a file for each size. */
export class PictureFiles {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Returns a picture in a size; undefined if it is not kept. */
  async read(photoId: string, size: PictureSize): Promise<Buffer | undefined> {
    return readFile(this.#pathOf(photoId, size)).catch(ignoreMissing)
  }

  /** Keeps a picture. Each file is put in place whole; a size that is missing is made again. */
  async write(photoId: string, sizes: SizedPicture): Promise<void> {
    await mkdir(this.#partOf(photoId), { recursive: true, mode: 0o700 })
    for (const size of pictureSizeNames) {
      const path = this.#pathOf(photoId, size)
      const draft = `${path}.${randomBytes(8).toString('hex')}.new`
      await writeFile(draft, sizes[size], { mode: 0o600 })
      await rename(draft, path)
    }
  }

  async remove(photoId: string): Promise<void> {
    for (const size of pictureSizeNames) await rm(this.#pathOf(photoId, size), { force: true })
  }

  /** Lists the kept pictures, and removes drafts that were last written before a time. */
  async list(draftsBeforeMs: number): Promise<KeptPicture[]> {
    const found = new Map<string, KeptPicture>()
    const names = (await readdir(this.#folder, { recursive: true }).catch(ignoreMissing)) ?? []
    for (const name of names) {
      const path = join(this.#folder, name)
      const photoId = /([^/\\]+)-[a-z]+\.jpg/.exec(name)?.[1]
      const stats = photoId === undefined ? undefined : await stat(path).catch(ignoreMissing)
      if (photoId === undefined || !stats) continue
      if (!name.endsWith(ending)) {
        if (stats.mtimeMs < draftsBeforeMs) await rm(path, { force: true })
        continue
      }
      const before = found.get(photoId)
      found.set(photoId, {
        photoId,
        bytes: (before?.bytes ?? 0) + stats.size,
        writtenMs: Math.min(before?.writtenMs ?? Number.POSITIVE_INFINITY, stats.mtimeMs),
      })
    }
    return [...found.values()]
  }

  #partOf(photoId: string): string {
    return join(this.#folder, digestText(photoId, 2))
  }

  #pathOf(photoId: string, size: PictureSize): string {
    return join(this.#partOf(photoId), `${photoId}-${size}${ending}`)
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
  return undefined
}
