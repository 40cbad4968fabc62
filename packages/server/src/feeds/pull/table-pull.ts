import type { Manifest, SnapshotPart } from '../../domain/feed.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Catalogue, FeedEntry } from './catalogue.ts'
import { checkTable } from './check-table.ts'
import type { FeedClient } from './client.ts'
import { DownloadQueue } from './download-queue.ts'
import { isGoneResponse, PullFailed } from './outcome.ts'
import type { PulledFeed, StartProgress } from './report.ts'
import { TableFiles } from './table-files.ts'

export interface TablePullOptions {
  readonly client: FeedClient
  readonly into: string
  /** True to download the table even if it is the newest. */
  readonly full?: boolean
  readonly clock: Clock
  readonly progress: StartProgress
}

/** Maximum number of snapshots that one pull tries, because the newest one may be withdrawn meanwhile. */
const maxAttempts = 3

/**
 * Pulls the table of a feed: the Parquet files of its newest full snapshot, after verifying each byte and the checksum
 * of all rows. Returns undefined if the service publishes no table of the feed.
 */
export async function pullTable(
  options: TablePullOptions,
  catalogue: Catalogue,
  entry: FeedEntry,
): Promise<PulledFeed | undefined> {
  const startUs = options.clock.monotonicUs()
  const files = new TableFiles(options.into, entry.feed)
  files.recover()
  for (let attempts = 1; ; attempts++) {
    const manifest = await catalogue.latestFull(entry)
    if (!manifest) throw new PullFailed('The service currently has no full snapshot of this feed. Try again later.')
    const { parquet_files: parts } = manifest
    if (!parts) return undefined
    const isNewest = !options.full && (await files.has(manifest))
    try {
      if (!isNewest) await downloadTable(options, files, manifest, parts)
      return { ...summarize(manifest, isNewest), seconds: (options.clock.monotonicUs() - startUs) / 1e6 }
    } catch (error) {
      if (attempts === maxAttempts || !isGoneResponse(error)) throw error
    }
  }
}

const totalBytes = (parts: readonly SnapshotPart[]): number => parts.reduce((sum, { bytes }) => sum + bytes, 0)

const summarize = (manifest: Manifest, isNewest: boolean): Omit<PulledFeed, 'seconds'> => ({
  feed: manifest.feed,
  version: manifest.version,
  snapshot_id: manifest.snapshot_id,
  sequence: manifest.sequence,
  kind: isNewest ? 'unchanged' : 'full',
  records: manifest.records_of_result,
  upserts: isNewest ? 0 : manifest.records,
  tombstones: 0,
  bytes: isNewest ? 0 : totalBytes(manifest.parquet_files ?? []),
})

async function downloadTable(
  { client, clock, progress }: TablePullOptions,
  files: TableFiles,
  manifest: Manifest,
  parts: readonly SnapshotPart[],
): Promise<void> {
  const startUs = clock.monotonicUs()
  const total = totalBytes(parts)
  const bar = progress(manifest.feed, total)
  let downloaded = 0
  const queue = new DownloadQueue(client, files, bytes => {
    downloaded += bytes
    const rows = Math.round((manifest.records * downloaded) / total)
    bar.update({ bytes: downloaded, rows, seconds: (clock.monotonicUs() - startUs) / 1e6 })
  })
  try {
    files.createFolder(manifest.snapshot_id)
    const queued = queue.add(manifest, parts)
    const complete = []
    for (const { part, path } of queued) complete.push({ part, path: await path })
    await checkTable(manifest, complete)
    files.replaceBy(manifest)
  } finally {
    await queue.stop()
    bar.stop()
  }
}
