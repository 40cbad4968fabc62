import type { Config } from '../config/load.ts'
import type { WithheldBuild } from '../domain/feed-build.ts'
import type { ReplacedFile } from '../domain/store-errors.ts'
import type { EngineDescriptor } from '../domain/stores.ts'
import type { Thread } from '../kit/thread.ts'
import { threadEntry } from '../kit/thread-entry.ts'
import type { Threads } from '../kit/threads.ts'
import { feedBuildLimits } from './feed-build-thread.ts'

/** Data of the feed-scheduler thread. */
export interface FeedSchedulerTask {
  readonly engine: EngineDescriptor
  readonly config: Config
  /** Delay between rounds, in milliseconds. */
  readonly everyMs: number
}

/** An event of the feed scheduler. After an error the next round retries. */
export type FeedSchedulerEvent =
  | { readonly built: readonly string[]; readonly seconds: number }
  | { readonly withdrawn: readonly string[] }
  | { readonly withheld: readonly WithheldBuild[] }
  | { readonly damaged: string }
  | { readonly error: Error }
  | { readonly replaced: ReplacedFile }

/** A message of the feed scheduler: an event, or the end of a round. */
export type FeedSchedulerMessage = FeedSchedulerEvent | { readonly roundEnded: true }

/** Starts the feed scheduler. Stopping it terminates a running build; the next build removes its incomplete files. */
export const startFeedScheduler = (
  threads: Threads,
  task: FeedSchedulerTask,
  onEvent: (event: FeedSchedulerEvent) => void,
): Thread<never, never, FeedSchedulerMessage> =>
  threads.create<never, never, FeedSchedulerMessage>({
    name: 'feeds',
    entry: threadEntry('../threads/feed-scheduler', import.meta.url),
    data: task,
    limits: feedBuildLimits,
    running: 'always',
    // A build may run for hours before it makes the thread fail, so elapsed time does not prove a recovery.
    isSuccess: message => 'roundEnded' in message,
    onEvent: message => {
      if (!('roundEnded' in message)) onEvent(message)
    },
  })
