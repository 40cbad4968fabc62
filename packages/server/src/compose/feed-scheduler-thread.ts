import type { Config } from '../config/load.ts'
import { type Thread, threadEntry } from '../kit/thread.ts'
import type { Threads } from '../kit/threads.ts'
import { feedBuildLimits } from './feed-build-thread.ts'

/** The data of the feed scheduler. */
export interface FeedSchedulerTask {
  readonly config: Config
  /** Delay before the first round, and then between rounds, milliseconds. */
  readonly firstMs: number
  readonly everyMs: number
}

/** An event of the feed scheduler. After an error the next round retries. */
export type FeedSchedulerEvent =
  | { readonly built: readonly string[]; readonly seconds: number }
  | { readonly withdrawn: readonly string[] }
  | { readonly error: Error }

/** Starts the feed scheduler. Stopping it terminates a build; the next build removes what that one left. */
export const startFeedScheduler = (
  threads: Threads,
  task: FeedSchedulerTask,
  onEvent: (event: FeedSchedulerEvent) => void,
): Thread<never, never, FeedSchedulerEvent> =>
  threads.create<never, never, FeedSchedulerEvent>({
    name: 'feeds',
    entry: threadEntry('../threads/feed-scheduler', import.meta.url),
    data: task,
    limits: feedBuildLimits,
    running: 'always',
    onEvent,
  })
