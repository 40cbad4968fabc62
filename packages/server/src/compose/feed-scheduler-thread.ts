import { Worker } from 'node:worker_threads'
import type { Config } from '../config/load.ts'
import { threadEntry } from '../kit/thread-entry.ts'
import { buildLimits } from './feed-build-thread.ts'

export interface FeedSchedulerTask {
  readonly config: Config
  /** How long after the start feeds are first looked at, and how often then. */
  readonly firstMs: number
  readonly everyMs: number
}

/** What the keeper has done, for the log. */
export type FeedSchedulerEvent =
  | { readonly built: readonly string[]; readonly seconds: number }
  | { readonly withdrawn: readonly string[] }
  | { readonly error: string }

const entry = threadEntry('../threads/feed-scheduler', import.meta.url)

/** Starts the feed keeper; it is stopped in the midst of a build as if it were killed, which the next build takes well. */
export function startFeedScheduler(
  task: FeedSchedulerTask,
  onNews: (news: FeedSchedulerEvent) => void,
): { stop(): Promise<void> } {
  const worker = new Worker(entry, { workerData: task, resourceLimits: buildLimits })
  worker.on('message', onNews)
  worker.on('error', error => onNews({ error: String(error) }))
  return {
    stop: async () => {
      await worker.terminate()
    },
  }
}
