import type { FeedOperation } from '../partner/operations/feed-params.ts'

/** Summary and description of each operation of the feeds. */
export const feedSummaries: Readonly<Record<FeedOperation, readonly [summary: string, description: string]>> = {
  listFeeds: ['All feeds', 'Lists the feeds that this key may download, in the version that it is pinned to.'],
  getLatestFeedManifest: [
    'The latest manifest',
    'Returns the manifest of the latest snapshot of a kind, byte for byte as stored.',
  ],
  listFeedDeltas: [
    'Deltas after a snapshot',
    'Lists the deltas to apply, in order and without gaps. 410 if some of them have been deleted: download the latest full snapshot instead.',
  ],
  listFeedSnapshots: ['All snapshots', 'Lists all available snapshots, oldest first.'],
  getFeedManifest: [
    'A manifest',
    'Returns the manifest of a snapshot, byte for byte as stored. A manifest never changes.',
  ],
  downloadFeedFile: [
    'A file of a snapshot',
    'Returns the file as stored, without Content-Encoding; range requests are supported. By default, at most four concurrent downloads, and 50 distinct snapshots in a rolling 24 hours.',
  ],
}

/** Description of the document of the feeds, in Markdown. */
export const feedIntroduction = `Bulk delivery: one full snapshot, then deltas. Manifests are signed and contain checksums of every
file and of the resulting data set. A key is pinned to one version of each feed, and only the operator changes it; the
\`version\` parameter is validated but does not select it. The JSON Schemas under \`/feeds/schemas/\` describe the lines.
\`/feeds/public-key.pem\` is the public key that verifies signatures. Both are available without an API key.`
