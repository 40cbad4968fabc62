import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, InvalidConfig } from '../config/load.ts'
import type { Pictures } from '../domain/picture.ts'
import type { Engine } from '../domain/stores.ts'
import type { Clock } from '../kit/clock.ts'
import { createGuardedAgents, type GuardedAgents } from '../kit/guarded-agents.ts'
import type { Logger } from '../kit/log.ts'
import { repeat } from '../kit/repeat.ts'
import { fetchPicture } from '../photos/fetch-picture.ts'
import { loadImageLibrary } from '../photos/image-library.ts'
import { KeptPictures } from '../photos/kept-pictures.ts'
import { PictureFiles } from '../photos/picture-files.ts'
import { sweepPictures } from '../photos/sweep-pictures.ts'
import { findAnyPhoto } from '../usecases/admin/find-photo.ts'

const bytesPerMb = 1_048_576
/** Maximum time of fetching a picture, in milliseconds. */
const fetchMs = 15_000
/** Maximum time that a request waits for it, in milliseconds. */
const waitMs = 8_000
const sweepMs = 10 * 60_000

const folderOf = ({ data }: Config): string => join(data, 'photos')

/**
 * Composes the pictures that the service keeps; undefined if it keeps none. Throws InvalidConfig if the image library
 * is missing.
 */
export function composePictures(config: Config, log: Logger): Pictures | undefined {
  const { maxMb, maxSourceMb, allowPrivate } = config.photos.cache
  if (maxMb === 0) return undefined
  const open = loadImageLibrary()
  if (!open)
    throw new InvalidConfig([
      'photos.cache: The image library is not installed. Run npm install sharp, or set photos.cache.maxMb to 0.',
    ])
  let agents: Promise<GuardedAgents> | undefined
  return new KeptPictures({
    files: new PictureFiles(folderOf(config)),
    open,
    fetch: async url => {
      agents ??= createGuardedAgents({ allowPrivate })
      return fetchPicture(url, await agents, { timeoutMs: fetchMs, maxBytes: maxSourceMb * bytesPerMb })
    },
    waitMs,
    onError: error => log.warn({ err: error }, 'Could not keep a picture; will fetch it again.'),
  })
}

/** Sweeps the kept pictures every ten minutes; removes all of them if the service keeps none. */
export function startPictureSweeps(
  config: Config,
  { engine, clock, log }: { readonly engine: Engine; readonly clock: Clock; readonly log: Logger },
): { close(): Promise<void> } {
  const { maxMb } = config.photos.cache
  const folder = folderOf(config)
  if (maxMb === 0) {
    rmSync(folder, { recursive: true, force: true })
    return { close: async () => {} }
  }
  const { locations, reviewList } = engine
  const files = new PictureFiles(folder)
  const exists = async (photoId: string) => (await findAnyPhoto({ locations, reviewList }, photoId)) !== undefined
  const sweep = () => sweepPictures({ files, maxBytes: maxMb * bytesPerMb, nowMs: clock.nowMs(), exists })
  const onError = (error: unknown) => log.warn({ err: error }, 'Could not sweep the kept pictures; will retry.')
  const sweeps = repeat(sweep, { everyMs: sweepMs, onError })
  return { close: () => sweeps.stop() }
}
