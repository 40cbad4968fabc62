import { type FeedPinChange, feedNames, type Manifest } from '../domain/feed.ts'
import type { Key } from '../domain/key.ts'
import { dateTime, Type } from '../kit/json-schema.ts'
import { feedPinsSchema } from './key.ts'
import { closedObject, formatDateTime, type Resource } from './schema.ts'

export const feedPinListSchema = closedObject({
  keys: Type.Array(
    closedObject({
      id: Type.String(),
      name: Type.Optional(Type.String()),
      takes_feeds: Type.Boolean(),
      pins: feedPinsSchema,
    }),
  ),
})

/** Presents the pins of keys. */
export const feedPinListResource = (
  keys: readonly { readonly key: Key; readonly canUseFeeds: boolean }[],
): Resource<typeof feedPinListSchema> => ({
  keys: keys.map(({ key: { id, name, feedPins }, canUseFeeds }) => ({
    id,
    ...(name !== undefined && { name }),
    takes_feeds: canUseFeeds,
    pins: feedPins,
  })),
})

export const feedPinHistorySchema = closedObject({
  id: Type.String(),
  pins: feedPinsSchema,
  history: Type.Array(
    closedObject({
      feed: Type.Enum(feedNames),
      from: Type.String(),
      to: Type.String(),
      by: Type.String(),
      at: dateTime(),
    }),
  ),
})

/** Presents the pins of one key with their changes. */
export const feedPinHistoryResource = ({
  key,
  history,
}: {
  readonly key: Key
  readonly history: readonly FeedPinChange[]
}): Resource<typeof feedPinHistorySchema> => ({
  id: key.id,
  pins: key.feedPins,
  history: history.map(({ feed, from, to, by, atMs }) => ({ feed, from, to, by, at: formatDateTime(atMs) })),
})

export const movedPinSchema = closedObject({
  key: Type.String(),
  feed: Type.Enum(feedNames),
  from: Type.String(),
  version: Type.String(),
  changed: Type.Boolean(),
  by: Type.String(),
})

/** Presents a changed pin. */
export const movedPinResource = (
  { key, feed, from, to, changed }: PinResult,
  by: string,
): Resource<typeof movedPinSchema> => ({ key: key.id, feed, from, version: to, changed, by })

export const pinPreviewSchema = closedObject({
  key: Type.String(),
  feed: Type.Enum(feedNames),
  from: Type.String(),
  version: Type.String(),
  status: Type.String(),
  /** False if the key's permissions or scope keep it from feeds. */
  takes_feeds: Type.Boolean(),
  /** Names of the members of a record that only the new version has. */
  added: Type.Array(Type.String()),
  /** Names of the members that only the old version has. */
  removed: Type.Array(Type.String()),
  /** Names of the members whose schemas differ. */
  altered: Type.Array(Type.String()),
  /** The full snapshot to download first; missing if the next build makes it. */
  snapshot: Type.Optional(
    closedObject({ id: Type.String(), created_at: Type.String(), records: Type.Integer(), bytes: Type.Integer() }),
  ),
})
export type PinPreviewResource = Resource<typeof pinPreviewSchema>

/** Presents the consequences of moving a pin. */
export const pinPreviewResource = (preview: PinPreview): PinPreviewResource => {
  const { key, feed, from, to, status, noFeeds, added, removed, altered, snapshot } = preview
  return {
    key: key.id,
    feed,
    from,
    version: to,
    status,
    takes_feeds: noFeeds === undefined,
    added: [...added],
    removed: [...removed],
    altered: [...altered],
    ...(snapshot && {
      snapshot: {
        id: snapshot.snapshot_id,
        created_at: snapshot.created_at,
        records: snapshot.records,
        bytes: snapshot.files.reduce((sum, { bytes }) => sum + bytes, 0),
      },
    }),
  }
}

/** The consequences of a pin that has not been moved yet. */
interface PinPreview extends PinResult {
  readonly status: string
  readonly noFeeds: string | undefined
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly altered: readonly string[]
  readonly snapshot: Manifest | undefined
}

/** A change of one pin; `changed` is false if the key was already pinned to the version. */
interface PinResult {
  readonly key: Key
  readonly feed: (typeof feedNames)[number]
  readonly from: string
  readonly to: string
  readonly changed: boolean
}
