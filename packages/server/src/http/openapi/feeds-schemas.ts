import Type, { type TSchema } from 'typebox'
import { feedNames } from '../../domain/feed.ts'
import {
  closed,
  count,
  data,
  dateTime,
  listOf,
  oneOf,
  optional,
  ref,
  text,
  webAddress,
} from '../../versions/primitives/schema.ts'

const snapshotId = (description: string) => Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}\\.\\d+-v\\d+$', description })
const sha256 = (description: string) => Type.String({ pattern: '^[0-9a-f]{64}$', description })
const recordId = (description: string) =>
  Type.Union([Type.Integer({ format: 'int64', minimum: 1 }), text('In `enums`: `enum:value`.')], { description })

const feed = oneOf(feedNames, 'The feed.')
const version = Type.String({ pattern: '^\\d+$', description: 'The version that the key is pinned to (SPEC §9.1.8).' })
const kind = oneOf(['full', 'delta'], 'Whether it holds everything, or what has changed.')

/** What a manifest and its summary in a list have in common. */
const snapshot = {
  snapshot_id: snapshotId('Day (UTC), number on that day, version.'),
  sequence: Type.Integer({ minimum: 1, description: 'Counts the snapshots of a feed and version.' }),
  kind,
  base_snapshot_id: optional(snapshotId('Of a delta: the last full before it.')),
  previous_delta: optional(snapshotId('Of a delta: the last delta before it, where there is one.')),
  applies_to: optional(
    listOf(snapshotId('A snapshot.'), 'Of a delta: the snapshots whose result it takes to its own.'),
  ),
  created_at: dateTime('When it was made.'),
  records: count('Lines in the files.'),
  upserts: count('Lines that hold a record.'),
  tombstones: count('Lines that say that a record is gone.'),
}

/** components/schemas of the feeds' document (R-45). */
export const feedComponents: Readonly<Record<string, TSchema>> = {
  Feed: closed({
    feed,
    version,
    latest_full: optional(snapshotId('The newest full snapshot.')),
    latest_delta: optional(snapshotId('The newest delta.')),
    latest_sequence: optional(count('The sequence number of the newest snapshot.')),
    latest_url: webAddress('The newest manifest.'),
    snapshots_url: webAddress('All snapshots.'),
    deltas_url: webAddress('What came after a snapshot.'),
    schema_url: webAddress('The JSON Schema of a line.'),
  }),
  SnapshotSummary: closed({
    ...snapshot,
    bytes: count('Of all its files together.'),
    manifest_url: webAddress('Its manifest.'),
  }),
  SnapshotFile: closed({
    name: text('Its last path segment.'),
    bytes: count('Its size, as stored and sent.'),
    records: count('Its lines.'),
    sha256: sha256('Of the file as stored and sent; also its ETag.'),
    min_id: recordId('The id of its first line.'),
    max_id: recordId('The id of its last line.'),
    encoding: oneOf(['zstd', 'gzip'], 'How it is compressed.'),
  }),
  Manifest: closed({
    feed,
    version,
    schema_url: webAddress('The JSON Schema of a line.'),
    ...snapshot,
    files: Type.Array(ref('SnapshotFile'), { description: 'In order; none in a delta without changes.' }),
    records_of_result: count('Records of the whole set that results.'),
    checksum_of_result: sha256(
      'Over `id hex(sha256(line))\\n` of the whole set that results, in ascending order of id; lines without their ends.',
    ),
    deprecation: optional(
      closed({
        deprecated_at: dateTime('Since when the version is deprecated.'),
        sunset_at: optional(dateTime('Until when calls in it were answered; feeds may go on.')),
        successor_version: optional(text('What replaces it.')),
      }),
    ),
    signing_key_id: Type.String({ pattern: '^[0-9a-f]{16}$', description: 'Which key signed it.' }),
    signature: text('Ed25519, base64, over the bytes of the manifest without this member.'),
  }),
}

/** The body of each 200 that is JSON, by operation. */
export const feedAnswers = {
  listFeeds: closed({
    data: Type.Array(ref('Feed'), { description: 'What this key may take.' }),
    public_key_url: webAddress('The key that signatures are checked with (SPKI, PEM).'),
  }),
  getLatestFeedManifest: ref('Manifest'),
  listFeedDeltas: closed({ data: data(ref('SnapshotSummary')) }),
  listFeedSnapshots: closed({ data: data(ref('SnapshotSummary')) }),
  getFeedManifest: ref('Manifest'),
}
