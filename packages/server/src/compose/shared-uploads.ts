import { createWriteStream, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { BlobStore } from '../domain/blob-store.ts'
import type { Clock } from '../kit/clock.ts'
import { type KeptUploads, keptMs, maxKept } from './kept-uploads.ts'

/** An input among the blobs; its key has the time of its upload. */
interface SharedUpload {
  readonly key: string
  readonly job: string
  readonly atMs: number
}

const keyPattern = /^kept\/(\d+)-(job_[\w-]+)$/

/**
 * Keeps inputs among the blobs, so that any node imports what one has checked. The worker removes those that the
 * process of an upload has left.
 */
export function shareUploads(blobs: BlobStore, clock: Clock): KeptUploads {
  const find = async (job: string) =>
    (await listUploads(blobs)).filter(isKept(clock.nowMs())).find(one => one.job === job)
  return {
    keep: async (job, file) => {
      await blobs.put(`kept/${clock.nowMs()}-${job}`, file)
      await removeOldUploads(blobs, clock.nowMs())
    },
    reuse: async (job, file) => {
      const found = await find(job)
      const body = found && (await blobs.get(found.key))
      if (!body) return undefined
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
      await pipeline(body, createWriteStream(file, { mode: 0o600 }))
      return statSync(file).size
    },
    isKept: async job => (await find(job)) !== undefined,
    remove: async job => {
      for (const { key, job: of } of await listUploads(blobs)) if (of === job) await blobs.delete(key)
    },
  }
}

/** Removes inputs whose time is over, and the oldest of too many: they may contain a text that is erased. */
export async function removeOldUploads(blobs: BlobStore, nowMs: number): Promise<void> {
  const found = await listUploads(blobs)
  const kept = new Set(found.filter(isKept(nowMs)))
  for (const one of found) if (!kept.has(one)) await blobs.delete(one.key)
}

/** Returns a predicate that is true for the inputs that may be used, of all inputs in the order of `listUploads`. */
const isKept =
  (nowMs: number) =>
  ({ atMs }: SharedUpload, i: number): boolean =>
    atMs > nowMs - keptMs && i < maxKept

/** Lists all inputs, newest first. */
async function listUploads(blobs: BlobStore): Promise<readonly SharedUpload[]> {
  const found: SharedUpload[] = []
  for await (const { key } of blobs.list('kept/')) {
    const [, at, job] = keyPattern.exec(key) ?? []
    if (at !== undefined && job !== undefined) found.push({ key, job, atMs: Number(at) })
  }
  return found.sort((a, b) => b.atMs - a.atMs)
}
