import { type FeedName, feedNames, listParts, type Manifest } from '../domain/feed.ts'
import type { FeedBuildResult, WithheldBuild } from '../domain/feed-build.ts'
import { count, dateTime, Type } from '../kit/json-schema.ts'
import { closedObject, formatDateTime, type Resource } from './schema.ts'

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
  bytes: listParts(m).reduce((sum, file) => sum + file.bytes, 0),
})

const withheldSchema = closedObject({
  feed: Type.Enum(feedNames),
  version: Type.String(),
  reason: Type.Enum(['deletions', 'other_store']),
  deletions: count(),
  records: count(),
  since: dateTime(),
})

/** Present if builds are withheld. */
const withheldMember = { withheld: Type.Optional(Type.Array(withheldSchema)) }

const withheldResource = (withheld: readonly WithheldBuild[]): { withheld?: Resource<typeof withheldSchema>[] } => ({
  ...(withheld.length > 0 && {
    withheld: withheld.map(({ feed, version, reason, deletions, records, sinceMs }) => ({
      feed,
      version,
      reason,
      deletions,
      records,
      since: formatDateTime(sinceMs),
    })),
  }),
})

export const feedSnapshotListSchema = closedObject({ snapshots: Type.Array(feedSnapshotSchema), ...withheldMember })

/** Presents a list of snapshots. */
export const feedSnapshotListResource = (
  manifests: readonly Manifest[],
  withheld: readonly WithheldBuild[] = [],
): Resource<typeof feedSnapshotListSchema> => ({
  snapshots: manifests.map(feedSnapshotResource),
  ...withheldResource(withheld),
})

export const feedBuildSchema = closedObject({
  built: Type.Array(closedObject({ ...members, seconds: Type.Number({ minimum: 0 }) })),
  ...withheldMember,
})
export type FeedBuildResource = Resource<typeof feedBuildSchema>

/** Presents the snapshots that a build has made, and the editions that it has withheld. */
export const feedBuildResource = ({ built, withheld }: FeedBuildResult): FeedBuildResource => ({
  built: built.map(({ manifest, seconds }) => ({
    ...feedSnapshotResource(manifest),
    seconds: Math.round(seconds * 1000) / 1000,
  })),
  ...withheldResource(withheld),
})

export const withdrawnSnapshotSchema = closedObject({
  feed: Type.Enum(feedNames),
  version: Type.String(),
  snapshot_id: Type.String(),
  state: Type.Literal('withdrawn'),
})

/** Presents a snapshot that was withdrawn. */
export const withdrawnSnapshotResource = ({
  feed,
  version,
  snapshotId,
}: {
  readonly feed: FeedName
  readonly version: string
  readonly snapshotId: string
}): Resource<typeof withdrawnSnapshotSchema> => ({ feed, version, snapshot_id: snapshotId, state: 'withdrawn' })
