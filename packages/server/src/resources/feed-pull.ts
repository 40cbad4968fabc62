import { feedNames } from '../domain/feed.ts'
import { count, Type } from '../kit/json-schema.ts'
import { closedObject, type Resource } from './schema.ts'

const pulledFeedSchema = closedObject({
  feed: Type.Enum(feedNames),
  version: Type.String(),
  snapshot_id: Type.String(),
  sequence: Type.Integer({ minimum: 1 }),
  kind: Type.Enum(['full', 'delta', 'unchanged']),
  /** Number of records in the result. */
  records: count(),
  upserts: count(),
  tombstones: count(),
  /** Compressed size of all downloaded snapshots. */
  bytes: count(),
  seconds: Type.Number({ minimum: 0 }),
})

const failedFeedSchema = closedObject({
  feed: Type.Enum(feedNames),
  message: Type.String(),
  /** True if downloaded data differs from its manifest. */
  mismatch: Type.Boolean(),
})

export const feedPullSchema = closedObject({
  pulled: Type.Array(pulledFeedSchema),
  failed: Type.Array(failedFeedSchema),
})
export type FeedPullResource = Resource<typeof feedPullSchema>

/** The pulled and failed feeds of a pull. */
export interface FeedPullOutcome {
  readonly pulled: readonly Readonly<FeedPullResource['pulled'][number]>[]
  readonly failed: readonly Readonly<FeedPullResource['failed'][number]>[]
}

/** Presents the result of a pull. */
export const feedPullResource = ({ pulled, failed }: FeedPullOutcome): FeedPullResource => ({
  pulled: pulled.map(one => ({
    feed: one.feed,
    version: one.version,
    snapshot_id: one.snapshot_id,
    sequence: one.sequence,
    kind: one.kind,
    records: one.records,
    upserts: one.upserts,
    tombstones: one.tombstones,
    bytes: one.bytes,
    seconds: one.seconds,
  })),
  failed: failed.map(({ feed, message, mismatch }) => ({ feed, message, mismatch })),
})
