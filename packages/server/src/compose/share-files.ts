import type { Config } from '../config/load.ts'
import type { BlobStore } from '../domain/blob-store.ts'
import { StoreError } from '../domain/store-errors.ts'
import type { Engine } from '../domain/stores.ts'
import { readNewest } from '../feeds/shared/catalogue.ts'
import { keyOfFile } from '../feeds/shared/feed-paths.ts'
import { hasSnapshots, readMirroredNumber } from '../feeds/shared/mirror.ts'
import { digestPieces, type FileDigest } from '../kit/checked-file.ts'
import { systemClock } from '../kit/clock.ts'
import { readIndexRevision } from '../search/index/file.ts'
import { indexVersion } from '../search/index/stored-file.ts'
import { type Layout, openLayout } from '../store/folder/layout.ts'
import { holdLock } from '../store/folder/lock.ts'
import { JournalShipping } from '../usage/ship-journal.ts'
import { readShipped } from '../usage/shipped-journal.ts'
import { findBlobs } from './blobs.ts'
import { withEngine } from './engine.ts'
import { openFeedWorkspace } from './shared-feeds.ts'
import { publishIndex, uploadIndex } from './shared-index.ts'

/** Number of files of each kind in the blobs, each of them read completely. */
export interface SharedFiles {
  readonly feeds: number
  readonly index: number
  readonly journal: number
}

/** Settings of a node with a database and blobs. */
export type SharingConfig = Config & { readonly blobs: string }

/** Throws StoreError if the blobs cannot be used, or belong to another database. */
export async function requireUnusedBlobs(place: string): Promise<void> {
  const blobs = (await findBlobs({ blobs: place }))!
  for (const prefix of ['feeds/', 'journals/', 'search/'])
    for await (const _ of blobs.list(prefix))
      throw new StoreError(`${blobs.name} has files of another database. Name an empty place with --blobs.`)
}

/**
 * Uploads what the nodes of a database share and the folder of the first one has: feeds, the search index, and the
 * journal as far as it is in the ledger, each in the way in which a node does so, and reads all of it back. Safe to
 * interrupt and rerun. Throws StoreError if a service uses the folder: that uploads on its own.
 */
export async function shareFiles(config: SharingConfig): Promise<SharedFiles> {
  const layout = openLayout(config.data)
  const blobs = (await findBlobs(config))!
  const lock = holdLock(
    layout.serveLock,
    `A service of ${config.data} runs, and uploads its files. Nothing is left to do.`,
  )
  try {
    return await withEngine(config, { create: false }, async engine => ({
      feeds: await shareFeeds(engine, config, layout, blobs),
      index: await shareIndex(engine, layout, blobs),
      journal: await shareJournal(engine, layout, blobs),
    }))
  } finally {
    lock.release()
  }
}

async function shareFeeds(engine: Engine, config: Config, layout: Layout, blobs: BlobStore): Promise<number> {
  if (!hasSnapshots(layout.feeds)) return 0
  const lock = await engine.locks.hold('feeds', 'A build of feeds is running. Run the command again after it.')
  try {
    await openFeedWorkspace(config, layout, engine)
  } finally {
    await lock.release()
  }
  const { files } = await readNewest(blobs)
  const large = [...files].flatMap(([path, file]) =>
    typeof file === 'string' ? [] : [{ key: keyOfFile(path, file.sha256), ...file }],
  )
  if (readMirroredNumber(layout.feeds) === 0)
    throw new StoreError(`${blobs.name} has feeds of another database. Name an empty place with --blobs.`)
  await requireStored(blobs, large)
  return files.size
}

async function shareIndex({ indexes, changes }: Engine, { index: path }: Layout, blobs: BlobStore): Promise<number> {
  const revision = readIndexRevision(path)
  const lock = await indexes!.lock(indexVersion)
  if (!lock || revision === undefined || revision > (await changes.lastSeq())) return 0
  try {
    const newest = await indexes!.newest(indexVersion)
    if (newest === undefined || newest.revision < revision) {
      const index = await uploadIndex(blobs, path, newest)
      if (index) await publishIndex(indexes!, blobs, index)
    }
    const { files } = (await indexes!.newest(indexVersion)) ?? { files: [] }
    await requireStored(blobs, files)
    return files.length
  } finally {
    await lock.release()
  }
}

async function shareJournal(
  { journals, ledger }: Engine,
  { journal: folder }: Layout,
  blobs: BlobStore,
): Promise<number> {
  const files = new Map((await ledger.files()).map(file => [file.file, file]))
  const shipping = new JournalShipping({ folder, journals: journals!, blobs, nowMs: systemClock.nowMs })
  await shipping.run({ files, writing: Math.max(0, ...files.keys()), isLast: true })
  const shipped = await shipping.list()
  for (const file of shipped) await readShipped(blobs, file)
  return shipped.length
}

/** Reads files back. Throws StoreError if the blobs have other bytes than were uploaded. */
async function requireStored(
  blobs: BlobStore,
  files: readonly (FileDigest & { readonly key: string })[],
): Promise<void> {
  for (const { key, bytes, sha256 } of files) {
    const body = await blobs.get(key)
    const found = body && (await digestPieces(body))
    if (found?.bytes !== bytes || found.sha256 !== sha256)
      throw new StoreError(
        `${blobs.name} does not have ${key} as it was uploaded. Check the store, and run the command again.`,
      )
  }
}
