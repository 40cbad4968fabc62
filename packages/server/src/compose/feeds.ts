import type { Config } from '../config/load.ts'
import type { BuiltSnapshot, EditionSnapshots, FeedBuildRequest, FeedBuildStep } from '../domain/feed-build.ts'
import { editionsOnDisk } from '../feeds/editions.ts'
import { Snapshots } from '../feeds/snapshots.ts'
import { layoutOf } from '../store/folder/layout.ts'
import { buildFeedsInThread } from './feed-build-thread.ts'
import { type FeedSchedulerEvent, startFeedScheduler } from './feed-scheduler-thread.ts'

/** Builds feeds of a data folder in a thread, beside a running service and imports; a sentence where that is refused. */
export const composeFeedBuild = (
  config: Config,
  request: FeedBuildRequest,
  { mayWait = true, onStep = () => {} }: { mayWait?: boolean; onStep?: (step: FeedBuildStep) => void } = {},
): Promise<BuiltSnapshot[] | { readonly refused: string }> => buildFeedsInThread({ config, request, mayWait }, onStep)

/** Keeps the feeds of a data folder up to date while a service runs. */
export const keepFeeds = (config: Config, onNews: (news: FeedSchedulerEvent) => void): { stop(): Promise<void> } =>
  startFeedScheduler({ config, firstMs: 60_000, everyMs: 60_000 }, onNews)

/** Lists the snapshots of a data folder, by edition. Throws MissingDataFolder. */
export function snapshotsOf(config: Config): EditionSnapshots[] {
  const { feeds } = layoutOf(config.data, { create: false })
  const known = new Snapshots(feeds)
  return editionsOnDisk(feeds).map(edition => ({ edition, snapshots: known.list(edition) }))
}
