const sha256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'

const delta = {
  snapshot_id: '2026-11-21.0-v1',
  sequence: 2,
  kind: 'delta',
  base_snapshot_id: '2026-11-20.0-v1',
  applies_to: ['2026-11-20.0-v1'],
  created_at: '2026-11-21T03:00:00Z',
  records: 1000,
  upserts: 990,
  tombstones: 10,
}

/** Returns an example response for each feed operation that responds with JSON. */
export function createFeedExamples(publicUrl: string) {
  const url = `${publicUrl}/feeds/locations`
  const schema_url = `${publicUrl}/feeds/schemas/locations-1.schema.json`
  const manifest_url = `${url}/snapshots/${delta.snapshot_id}/manifest.json`
  const manifest = {
    feed: 'locations',
    version: '1',
    schema_url,
    ...delta,
    files: [
      {
        name: 'part-00000.ndjson.zst',
        bytes: 181_020,
        records: 1000,
        sha256,
        min_id: 7,
        max_id: 991_003,
        encoding: 'zstd',
      },
    ],
    records_of_result: 1_000_480,
    checksum_of_result: sha256,
    signing_key_id: '2f1e0d9c8b7a6958',
    signature: 'c2lnbmF0dXJl',
  }
  const list = { data: [{ ...delta, bytes: 181_020, manifest_url }] }
  return {
    listFeeds: {
      data: [
        {
          feed: 'locations',
          version: '1',
          latest_full: '2026-11-20.0-v1',
          latest_delta: delta.snapshot_id,
          latest_sequence: 2,
          latest_url: `${url}/latest`,
          snapshots_url: `${url}/snapshots`,
          deltas_url: `${url}/deltas`,
          schema_url,
        },
      ],
      public_key_url: `${publicUrl}/feeds/public-key.pem`,
    },
    getLatestFeedManifest: manifest,
    listFeedDeltas: list,
    listFeedSnapshots: list,
    getFeedManifest: manifest,
  }
}

/** Example values of the path parameters. */
export const feedPathExamples = {
  feed: 'locations',
  snapshot: delta.snapshot_id,
  name: 'part-00000.ndjson.zst',
} as const
