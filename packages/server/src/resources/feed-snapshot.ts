import Type from 'typebox'
import { feedNames, type Manifest } from '../domain/feed.ts'
import type { BuiltSnapshot } from '../domain/feed-build.ts'
import { closedObject, count, dateTime, type Resource } from './schema.ts'

const members = {
  feed: Type.Enum(feedNames),
  version: Type.String(),
  snapshot_id: Type.String(),
  kind: Type.Enum(['full', 'delta']),
  sequence: Type.Integer({ minimum: 1 }),
  created_at: dateTime(),
  records: count(),
  upserts: count(),
  tombstones: count(),
  /** Size of all files together, as they are stored and served. */
  bytes: count(),
}

export const feedSnapshotSchema = closedObject(members)
export type FeedSnapshotResource = Resource<typeof feedSnapshotSchema>

/** Presents a snapshot by its manifest. */
export const feedSnapshotResource = (m: Manifest): FeedSnapshotResource => ({
  feed: m.feed,
  version: m.version,
  snapshot_id: m.snapshot_id,
  kind: m.kind,
  sequence: m.sequence,
  created_at: m.created_at,
  records: m.records,
  upserts: m.upserts,
  tombstones: m.tombstones,
  bytes: m.files.reduce((sum, file) => sum + file.bytes, 0),
})

export const feedSnapshotListSchema = closedObject({ snapshots: Type.Array(feedSnapshotSchema) })

/** Presents a list of snapshots. */
export const feedSnapshotListResource = (manifests: readonly Manifest[]): Resource<typeof feedSnapshotListSchema> => ({
  snapshots: manifests.map(feedSnapshotResource),
})

export const feedBuildSchema = closedObject({
  built: Type.Array(closedObject({ ...members, seconds: Type.Number({ minimum: 0 }) })),
})
export type FeedBuildResource = Resource<typeof feedBuildSchema>

/** Presents the snapshots that a build has made. */
export const feedBuildResource = (built: readonly BuiltSnapshot[]): FeedBuildResource => ({
  built: built.map(({ manifest, seconds }) => ({
    ...feedSnapshotResource(manifest),
    seconds: Math.round(seconds * 1000) / 1000,
  })),
})
