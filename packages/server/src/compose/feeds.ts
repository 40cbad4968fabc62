import type { Config } from '../config/load.ts'
import type { Edition, FeedSnapshot } from '../domain/feed.ts'
import { editionsOnDisk } from '../feeds/editions.ts'
import type { Withdrawn } from '../feeds/erasure.ts'
import { Snapshots } from '../feeds/snapshots.ts'
import { systemClock } from '../kit/clock.ts'
import { layoutOf } from '../store/sqlite/layout.ts'
import {
  type BuiltSnapshot,
  buildFeeds,
  type FeedHooks,
  type FeedRequest,
  sweepErasedFeeds,
} from '../workers/build-feeds.ts'

export type { BuiltSnapshot, FeedHooks, FeedRequest } from '../workers/build-feeds.ts'

/** Builds feeds of a data folder, beside a running service and imports. */
export const composeFeedBuild = (config: Config, request: FeedRequest, hooks: FeedHooks): Promise<BuiltSnapshot[]> =>
  buildFeeds(config, systemClock, request, hooks)

/** The snapshots of a data folder, by edition. */
export function snapshotsOf(config: Config): { readonly edition: Edition; readonly snapshots: FeedSnapshot[] }[] {
  const { feeds } = layoutOf(config.data, { create: false })
  const known = new Snapshots(feeds)
  return editionsOnDisk(feeds).map(edition => ({ edition, snapshots: known.list(edition) }))
}

/** Takes away at once what holds an erased record; the next build makes new fulls. */
export const sweepErased = (config: Config): Promise<Withdrawn[]> => sweepErasedFeeds(config, systemClock)
