import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/load.ts'
import type { BlobStore } from '../domain/blob-store.ts'
import { LockHeld } from '../domain/store-errors.ts'
import type { Engine } from '../domain/stores.ts'
import { emptyCatalogue, type FeedCatalogue, readNewest } from '../feeds/shared/catalogue.ts'
import { type FeedSecrets, hasSnapshots, mirrorCatalogue, readMirroredNumber } from '../feeds/shared/mirror.ts'
import { adoptFolder, openSharedWorkspace } from '../feeds/shared/shared-workspace.ts'
import { createLocalWorkspace, type FeedWorkspace } from '../feeds/workspace.ts'
import { createSecretBox } from '../kit/secret-box.ts'
import type { Layout } from '../store/folder/layout.ts'
import { holdLock } from '../store/folder/lock.ts'
import { loadPepper } from '../store/folder/pepper.ts'
import { findBlobs } from './blobs.ts'

/** Newest catalogue that this thread has mirrored, by the folder of the mirror. */
const mirrored = new Map<string, FeedCatalogue>()

/**
 * Makes the folder of the feeds that of the newest catalogue, if nodes share feeds. Another process that does
 * so is not waited for.
 */
export async function refreshFeeds(config: Config, layout: Layout): Promise<void> {
  const blobs = await findBlobs(config)
  if (blobs) await mirrorNewest(blobs, layout)
}

async function mirrorNewest(blobs: BlobStore, layout: Layout): Promise<void> {
  const root = layout.feeds
  const known = mirrored.get(root) ?? emptyCatalogue
  for (;;) {
    const catalogue = await readNewest(blobs, known)
    // Before the first catalogue, a node delivers what it has built.
    if (catalogue === known || (catalogue.number === 0 && readMirroredNumber(root) === 0)) return
    mkdirSync(root, { recursive: true })
    const outcome = withMirrorLock(root, () => {
      // Another process has mirrored a newer one.
      if (catalogue.number !== 0 && catalogue.number < readMirroredNumber(root)) return 'outdated'
      mirrorCatalogue(root, catalogue, secretsOf(layout), { placeholders: false })
      return 'mirrored'
    })
    if (outcome === 'mirrored') mirrored.set(root, catalogue)
    if (outcome !== 'outdated') return
  }
}

function withMirrorLock<T>(root: string, work: () => T): T | undefined {
  try {
    const lock = holdLock(join(root, 'mirror-lock.sqlite'), 'Another process reads the feeds.')
    try {
      return work()
    } finally {
      lock.release()
    }
  } catch (error) {
    if (error instanceof LockHeld) return undefined
    throw error
  }
}

/**
 * Opens the workspace of the feeds. The caller holds the build lock. Feeds that a node has built before there were
 * blobs are uploaded by its first build.
 */
export async function openFeedWorkspace(config: Config, layout: Layout, engine: Engine): Promise<FeedWorkspace> {
  const blobs = await findBlobs(config)
  if (!blobs) return createLocalWorkspace(layout.feeds)
  const oldest = (await engine.releases?.oldest()) ?? Number.POSITIVE_INFINITY
  const sharing = { blobs, secrets: secretsOf(layout), oldest }
  if (hasSnapshots(layout.feeds) && readMirroredNumber(layout.feeds) === 0) await adoptFolder(layout.feeds, sharing)
  const shared = await openSharedWorkspace(layout.feedsWorkspace, sharing)
  return {
    root: shared.root,
    fetch: file => shared.fetch(file),
    commit: async () => {
      await shared.commit()
      await mirrorNewest(blobs, layout)
    },
  }
}

/** Returns the encryption of what only the nodes of one database may read. */
export function secretsOf(layout: Layout): FeedSecrets {
  const box = createSecretBox(loadPepper(layout), 'feeds')
  return {
    seal: (path, text) => box.seal(text, path).toString('base64'),
    open: (path, sealed) => box.open(Buffer.from(sealed, 'base64'), path),
  }
}
