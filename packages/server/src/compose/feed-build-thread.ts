import type { Config } from '../config/load.ts'
import type { AdminFault } from '../domain/admin-fault.ts'
import type { FeedBuildEvent, FeedBuildRequest, FeedBuildResult } from '../domain/feed-build.ts'
import type { EngineDescriptor } from '../domain/stores.ts'
import { requestInThread } from '../kit/request-in-thread.ts'
import { threadEntry } from '../kit/thread-entry.ts'

/** Task of a feed-build thread. */
export interface FeedBuildTask {
  readonly engine: EngineDescriptor
  readonly config: Config
  readonly request: FeedBuildRequest
  /** True if the build waits until another one has ended; otherwise it is refused. */
  readonly mayWait: boolean
}

/** The result of a build, or the fault that prevented it. */
export type FeedBuildOutcome = FeedBuildResult | AdminFault

/** Heap limits, in megabytes; the memory of a build does not grow with the data. */
export const feedBuildLimits = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16 }

/** Builds feeds in a thread. An aborted signal ends the thread, which leaves published snapshots as they are. */
export const buildFeedsInThread = (
  task: FeedBuildTask,
  onEvent: (event: FeedBuildEvent) => void,
  signal?: AbortSignal,
): Promise<FeedBuildOutcome> =>
  requestInThread<FeedBuildTask, FeedBuildOutcome, FeedBuildEvent>(
    {
      name: 'feed-build',
      entry: threadEntry('../threads/feed-build', import.meta.url),
      limits: feedBuildLimits,
      onEvent: onEvent,
    },
    task,
    signal,
  )
