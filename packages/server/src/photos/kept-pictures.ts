import { LRUCache } from 'lru-cache'
import type { PictureFailure, PictureRequest, Pictures } from '../domain/picture.ts'
import { FairQueue } from '../kit/fair-queue.ts'
import { ThreadUnavailable } from '../kit/thread-unavailable.ts'
import { waitAtMost } from '../kit/wait-at-most.ts'
import type { OpenImage } from './image-library.ts'
import { makeSizes, type SizedPicture } from './make-sizes.ts'
import type { PictureFiles } from './picture-files.ts'

/** Dependencies of the kept pictures. */
export interface PictureParts {
  readonly files: PictureFiles
  readonly open: OpenImage
  /** Fetches the picture at a URL; never throws. */
  fetch(url: string): Promise<Buffer | PictureFailure>
  /** Maximum time that a request waits for a picture that is being fetched, in milliseconds. */
  readonly waitMs: number
  /** Reports an error of the disk; the picture is sent anyway. */
  onError(error: unknown): void
}

/** Time for which a failure is remembered, in milliseconds. */
const rememberedMs = 10 * 60_000
const maxRemembered = 10_000

/** Pictures that are fetched with their first request, at most four at a time, and then kept. */
export class KeptPictures implements Pictures {
  readonly #parts: PictureParts
  readonly #queue = new FairQueue({ running: 4, waiting: 64, waitingPerSubject: 16 })
  readonly #making = new Map<string, Promise<SizedPicture | PictureFailure>>()
  readonly #failures = new LRUCache<string, PictureFailure>({ max: maxRemembered, ttl: rememberedMs })

  constructor(parts: PictureParts) {
    this.#parts = parts
  }

  async get({ photoId, url, size, subject }: PictureRequest): Promise<Buffer | PictureFailure> {
    const kept = await this.#parts.files.read(photoId, size)
    if (kept) return kept
    const failure = this.#failures.get(photoId)
    if (failure) return failure
    const making = this.#making.get(photoId) ?? this.#start(photoId, url, subject)
    let made: SizedPicture | PictureFailure = 'pending'
    const set = making.then(result => {
      made = result
    })
    await waitAtMost(this.#parts.waitMs, set)
    return toBuffer(made, size)
  }

  /** Makes a picture once for all requests that wait for it. */
  #start(photoId: string, url: string, subject: string): Promise<SizedPicture | PictureFailure> {
    const making = this.#queue
      .run({ subject, isGone: () => false }, () => this.#make(photoId, url))
      .catch((error: unknown): PictureFailure => {
        if (error instanceof ThreadUnavailable) return 'busy'
        throw error
      })
      .finally(() => this.#making.delete(photoId))
    this.#making.set(photoId, making)
    return making
  }

  async #make(photoId: string, url: string): Promise<SizedPicture | PictureFailure> {
    const { files, open, fetch, onError } = this.#parts
    const picture = await fetch(url)
    const sizes = Buffer.isBuffer(picture)
      ? await makeSizes(open, picture).catch(() => 'not_a_picture' as const)
      : picture
    if (typeof sizes === 'string') this.#failures.set(photoId, sizes)
    else await files.write(photoId, sizes).catch(onError)
    return sizes
  }
}

const toBuffer = (made: SizedPicture | PictureFailure, size: PictureRequest['size']): Buffer | PictureFailure =>
  typeof made === 'string' ? made : made[size]
