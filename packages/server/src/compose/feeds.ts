import type { Config } from '../config/load.ts'
import type { EditionSnapshots, FeedBuildEvent, FeedBuildRequest } from '../domain/feed-build.ts'
import type { EngineDescriptor } from '../domain/stores.ts'
import { listEditions } from '../feeds/list-editions.ts'
import { Snapshots } from '../feeds/snapshots.ts'
import { readWithheld } from '../feeds/withheld.ts'
import type { Threads } from '../kit/threads.ts'
import { openFolder } from '../store/engine.ts'
import type { Layout } from '../store/folder/layout.ts'
import { describeEngine } from './engine.ts'
import { buildFeedsInThread, type FeedBuildOutcome } from './feed-build-thread.ts'
import { type FeedSchedulerEvent, startFeedScheduler } from './feed-scheduler-thread.ts'
import { refreshFeeds } from './shared-feeds.ts'

/** Builds feeds of a data folder in a thread, at low priority, even while a service or an import runs. */
export const composeFeedBuild = (
  config: Config,
  request: FeedBuildRequest,
  { mayWait = true, onEvent = () => {} }: { mayWait?: boolean; onEvent?: (event: FeedBuildEvent) => void } = {},
  signal?: AbortSignal,
): Promise<FeedBuildOutcome> =>
  buildFeedsInThread({ engine: describeEngine(config), config, request, mayWait }, onEvent, signal)

/** Interval between rounds of the scheduler, in milliseconds. */
const scheduleEveryMs = 60_000

/** Keeps the feeds of a data folder up to date while a service runs. The thread starts with its first round. */
export function scheduleFeeds(
  threads: Threads,
  engine: EngineDescriptor,
  config: Config,
  onEvent: (event: FeedSchedulerEvent) => void,
): { stop(): Promise<void> } {
  let thread: ReturnType<typeof startFeedScheduler> | undefined
  const start = () => {
    thread = startFeedScheduler(threads, { engine, config, everyMs: scheduleEveryMs }, onEvent)
  }
  const timer = setTimeout(start, scheduleEveryMs)
  return {
    stop: async () => {
      clearTimeout(timer)
      await thread?.stop()
    },
  }
}

/**
 * Returns the function that lists the snapshots of a data folder, by edition. Its first call checks the folder, and
 * throws the errors of openFolder.
 */
export function storedSnapshots(config: Config): () => Promise<EditionSnapshots[]> {
  let opened: { readonly layout: Layout; readonly known: Snapshots } | undefined
  return async () => {
    if (!opened) {
      const layout = openFolder(describeEngine(config), { create: false })
      opened = { layout, known: new Snapshots(layout.feeds) }
    }
    const { layout, known } = opened
    await refreshFeeds(config, layout)
    const { feeds } = layout
    return listEditions(feeds).map(edition => ({
      edition,
      snapshots: known.list(edition),
      withheld: readWithheld(feeds, edition),
    }))
  }
}
