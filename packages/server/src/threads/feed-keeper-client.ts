import { Worker } from 'node:worker_threads'
import type { Config } from '../config/load.ts'
import { buildLimits } from './feed-build-client.ts'

export interface FeedKeeperTask {
  readonly config: Config
  /** How long after the start feeds are first looked at, and how often then. */
  readonly firstMs: number
  readonly everyMs: number
}

/** What the keeper has done, for the log. */
export type FeedKeeperNews =
  | { readonly built: readonly string[]; readonly seconds: number }
  | { readonly withdrawn: readonly string[] }
  | { readonly error: string }

// The worker has the extension of this file: .ts in the repository, .js when compiled.
const entry = new URL(import.meta.url.replace('feed-keeper-client', 'feed-keeper'))

/** Starts the feed keeper; it is stopped in the midst of a build as if it were killed, which the next build takes well. */
export function startFeedKeeper(
  task: FeedKeeperTask,
  onNews: (news: FeedKeeperNews) => void,
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
