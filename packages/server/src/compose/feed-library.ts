import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/load.ts'
import type { FeedSnapshot, SnapshotPart } from '../domain/feed.ts'
import type { FeedLibrary, StoredFeedFile } from '../domain/feed-stores.ts'
import { keyOfFile } from '../feeds/shared/feed-paths.ts'
import { snapshotIdPattern } from '../feeds/snapshot-files.ts'
import { Snapshots } from '../feeds/snapshots.ts'
import type { Layout } from '../store/folder/layout.ts'
import { findBlobs } from './blobs.ts'
import { refreshFeeds } from './shared-feeds.ts'

/** Creates the library of snapshots of a data folder, whose files may be in the blobs. */
export function createFeedLibrary(
  config: Config,
  layout: Layout,
  snapshots: Snapshots = new Snapshots(layout.feeds),
): FeedLibrary {
  let refreshing: Promise<void> | undefined
  const refresh = () => {
    refreshing ??= refreshFeeds(config, layout).finally(() => {
      refreshing = undefined
    })
    return refreshing
  }
  return {
    list: async edition => snapshots.list(edition),
    find: async (edition, id) => {
      const found = snapshots.find(edition, id)
      if (found || config.blobs === undefined || !snapshotIdPattern.test(id)) return found
      // Another node may have named it to the client before this one has seen it.
      await refresh()
      return snapshots.find(edition, id)
    },
    file: async (snapshot, file) => findLocal(snapshot, file) ?? (await findShared(config, snapshot, file)),
  }
}

/** Returns a file in the data folder. A link could lead out of the folder. */
function findLocal({ folder }: FeedSnapshot, { name }: SnapshotPart): StoredFeedFile | undefined {
  const path = join(folder, name)
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ? { path } : undefined
}

async function findShared(
  config: Config,
  { manifest }: FeedSnapshot,
  { name, sha256, bytes }: SnapshotPart,
): Promise<StoredFeedFile | undefined> {
  const blobs = await findBlobs(config)
  const key = keyOfFile(`${manifest.feed}/v${manifest.version}/${manifest.snapshot_id}/${name}`, sha256)
  if ((await blobs?.head(key))?.bytes !== bytes) return undefined
  return { read: range => blobs!.get(key, range) }
}
