/** Rejected rows of imports among the blobs, where any node shows them. */
import { createHash } from 'node:crypto'
import { createWriteStream, mkdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { BlobStore } from '../domain/blob-store.ts'
import { type JobStore, keptJobs } from '../domain/job.ts'
import { type IsErasedRow, scrubFile } from '../ingest/scrub-rejects.ts'
import { hourMs } from '../kit/time.ts'
import { namesIn } from '../store/folder/names-in.ts'

const prefix = 'rejects/'

/** Returns the key of the rows that an import has rejected, by the file in which its process has written them. */
export const rejectsKey = (job: string, file: string): string =>
  `${prefix}${job}/${createHash('sha256').update(file).digest('hex')}`

/** Copies a file with rejected rows to the blobs, and removes rows of earlier imports that nothing shows any more. */
export async function shareRejects(blobs: BlobStore, jobs: JobStore, job: string, file: string): Promise<void> {
  await blobs.put(rejectsKey(job, file), file)
  for await (const { key } of blobs.list(prefix)) {
    const of = key.split('/')[1]!
    if (of !== job && !(await isShown(jobs, of))) await blobs.delete(key)
  }
  // The hour of `moveOldRejects` starts at the end of the import.
  const now = new Date()
  utimesSync(file, now, now)
}

/** Returns true for an import that runs, or whose rows no later import of the same file has replaced. */
async function isShown(jobs: JobStore, id: string): Promise<boolean> {
  const job = await jobs.find(id)
  return job !== undefined && (job.endedMs === undefined || (await jobs.rejects(id)).length > 0)
}

/** Removes rows for which `isErased` returns true from the blobs; returns their number. `folder`: for temporary files. */
export async function scrubSharedRejects(blobs: BlobStore, folder: string, isErased: IsErasedRow): Promise<number> {
  mkdirSync(folder, { recursive: true })
  const copy = join(folder, `${process.pid}.shared.tmp`)
  let removed = 0
  try {
    for await (const { key } of blobs.list(prefix)) {
      const body = await blobs.get(key)
      if (!body) continue
      await pipeline(body, createWriteStream(copy, { mode: 0o600 }))
      const removedHere = await scrubFile(copy, isErased)
      if (removedHere > 0) await blobs.put(key, copy)
      removed += removedHere
    }
  } finally {
    rmSync(copy, { force: true })
  }
  return removed
}

/** The files with rejected rows of a node, and where their rows are shared. */
export interface OwnRejects {
  readonly folder: string
  readonly blobs: BlobStore
  readonly jobs: JobStore
}

/**
 * Removes the files with rejected rows that are older than an hour from the folder of a node, because an erasure on
 * another node does not reach them. Rows of imports that are not among the blobs yet, such as those from before
 * the node had any, are copied. Call it while no import runs: an import keeps its file open.
 */
export async function moveOldRejects({ folder, blobs, jobs }: OwnRejects, nowMs: number): Promise<void> {
  const isOld = (file: string) => (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? nowMs) < nowMs - hourMs
  const files = new Set(
    namesIn(folder)
      .map(name => resolve(folder, name))
      .filter(isOld),
  )
  if (files.size === 0) return
  for (const { id } of await jobs.list({ kind: 'import', limit: keptJobs })) {
    for (const { file } of await jobs.rejects(id)) {
      const key = rejectsKey(id, file)
      if (files.has(file) && !(await blobs.head(key))) await blobs.put(key, file)
    }
  }
  for (const file of files) rmSync(file, { force: true })
}
