import { feedNames } from '../../domain/feed.ts'
import { count, dateTime, type TSchema, Type } from '../../kit/json-schema.ts'
import { data, listOf, object, oneOf, optional, ref, string, uri } from '../../versions/primitives/schema.ts'

const snapshotId = (description: string) => Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}\\.\\d+-v\\d+$', description })
const sha256 = (description: string) => Type.String({ pattern: '^[0-9a-f]{64}$', description })
const recordId = (description: string) =>
  Type.Union([Type.Integer({ format: 'int64', minimum: 1 }), string('In the feed `enums`: `enum:value`.')], {
    description,
  })

const version = Type.String({ pattern: '^\\d+$', description: 'Version that the key is pinned to.' })

/** Members that a manifest shares with its summary in a list. */
const snapshotMembers = {
  snapshot_id: snapshotId('Id, made of the day in UTC, a number on that day, and the version.'),
  sequence: Type.Integer({ minimum: 1, description: 'Sequence number within the feed and version.' }),
  kind: ref('SnapshotKind'),
  base_snapshot_id: optional(snapshotId('Deltas only: the preceding full snapshot.')),
  previous_delta: optional(snapshotId('Deltas only: the preceding delta, if it exists.')),
  applies_to: optional(
    listOf(snapshotId('Id of a snapshot.'), 'Deltas only: the snapshots that the delta can be applied to.'),
  ),
  created_at: dateTime('Time of creation.'),
  records: count('Number of lines in all files.'),
  upserts: count('Number of lines with a new or changed record.'),
  tombstones: count('Number of lines that delete a record.'),
}

const partMembers = (records: string) => ({
  name: string('File name, the last segment of its path.'),
  bytes: count('Size as stored and sent.'),
  records: count(records),
  sha256: sha256('SHA-256 of the file as stored and sent; also its ETag.'),
  min_id: recordId('Id of the first record.'),
  max_id: recordId('Id of the last record.'),
})

/** `components/schemas` of the feed document. */
export const feedComponents: Readonly<Record<string, TSchema>> = {
  FeedName: oneOf(feedNames, 'Name of the feed.'),
  SnapshotKind: oneOf(['full', 'delta'], '`full`: all records; `delta`: changes only.'),
  FileEncoding: oneOf(['zstd', 'gzip'], 'Compression of the file.'),
  Feed: object({
    feed: ref('FeedName'),
    version,
    latest_full: optional(snapshotId('Id of the latest full snapshot.')),
    latest_delta: optional(snapshotId('Id of the latest delta.')),
    latest_sequence: optional(count('Sequence number of the latest snapshot.')),
    latest_url: uri('URL of the latest manifest.'),
    snapshots_url: uri('URL of the list of all snapshots.'),
    deltas_url: uri('URL of the list of deltas after a snapshot.'),
    schema_url: uri('URL of the JSON Schema of a line.'),
  }),
  SnapshotSummary: object({
    ...snapshotMembers,
    bytes: count('Total size of its files in NDJSON.'),
    manifest_url: uri('URL of its manifest.'),
  }),
  SnapshotFile: object({ ...partMembers('Number of lines.'), encoding: ref('FileEncoding') }),
  ParquetFile: object(partMembers('Number of rows.')),
  Manifest: object({
    feed: ref('FeedName'),
    version,
    schema_url: uri('URL of the JSON Schema of a line.'),
    ...snapshotMembers,
    files: Type.Array(ref('SnapshotFile'), { description: 'Files in order; empty for a delta without changes.' }),
    parquet_files: optional(
      Type.Array(ref('ParquetFile'), {
        description:
          'The records as Parquet files in order, if the operator publishes them; only in full snapshots. `line_sha256` of each row is the SHA-256 of its line, from which `checksum_of_result` is computed.',
      }),
    ),
    records_of_result: count('Number of records in the resulting data set.'),
    checksum_of_result: sha256(
      'SHA-256 over `id hex(sha256(line))\\n` of every record in the resulting data set, in ascending order of id; each line without its line ending.',
    ),
    deprecation: optional(ref('FeedDeprecation')),
    signing_key_id: Type.String({ pattern: '^[0-9a-f]{16}$', description: 'Id of the signing key.' }),
    signature: string('Ed25519 signature in base64 over the bytes of the manifest without this member.'),
  }),
  FeedDeprecation: object(
    {
      deprecated_at: dateTime('Time of the deprecation of the version.'),
      sunset_at: optional(dateTime('Time of the sunset of the version for requests; its feeds may continue.')),
      successor_version: optional(string('Version that replaces it.')),
    },
    'Announcement that the version will be retired.',
  ),
  FeedsResponse: object({
    data: Type.Array(ref('Feed'), { description: 'Feeds that this key may download.' }),
    public_key_url: uri('URL of the public key that verifies signatures (SPKI, PEM).'),
  }),
  SnapshotsResponse: object({ data: data(ref('SnapshotSummary')) }),
}

/** Schemas of the 200 responses with JSON, by operation. */
export const feedResponses = {
  listFeeds: ref('FeedsResponse'),
  getLatestFeedManifest: ref('Manifest'),
  listFeedDeltas: ref('SnapshotsResponse'),
  listFeedSnapshots: ref('SnapshotsResponse'),
  getFeedManifest: ref('Manifest'),
}
