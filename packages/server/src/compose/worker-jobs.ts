import type { Config } from '../config/load.ts'
import type { Engine } from '../domain/stores.ts'
import type { Clock } from '../kit/clock.ts'
import type { Logger } from '../kit/log.ts'
import type { Threads } from '../kit/threads.ts'
import type { Layout } from '../store/folder/layout.ts'
import type { IndexSharing } from './index-sharing.ts'
import type { JobFailures } from './job-failures.ts'
import { createDeliveries } from './serving-deliveries.ts'
import { createFeedScheduler } from './serving-feeds.ts'
import { createSyncScheduler } from './sync-scheduler.ts'
import { describeWorkerRounds, logWorkerRound, startWorkerThread } from './worker-thread.ts'

/** Dependencies of the jobs of the worker. */
export interface WorkerJobParts {
  readonly engine: Engine
  readonly layout: Layout
  readonly clock: Clock
  readonly threads: Threads
  readonly log: Logger
  readonly isDemo: boolean
  readonly failures: JobFailures
  /** Shares the search index with the nodes; undefined without blobs. */
  readonly sharing: IndexSharing | undefined
}

/**
 * Starts what a database needs once: rounds of maintenance and events, deliveries, and builds of feeds and of
 * the search index.
 */
export function startWorkerJobs(config: Config, parts: WorkerJobParts): { stop(): Promise<void> } {
  const { engine, layout, clock, threads, log, failures, sharing } = parts
  const deliveries = createDeliveries(config, { ...parts, onFailure: () => failures.add('The delivery of events') })
  const feeds = createFeedScheduler(config, { ...parts, onFailure: () => failures.add('Building feeds') })
  const syncs = createSyncScheduler(config, { ...parts, onFailure: () => failures.add('A sync') })
  feeds.start()
  syncs.start()
  const task = { engine: engine.descriptor, rounds: describeWorkerRounds(config, { layout, nowMs: clock.nowMs() }) }
  const rounds = startWorkerThread(threads, task, event => {
    logWorkerRound(log, event, deliveries.start)
    failures.addRound(event)
  })
  const index = sharing?.startWork()
  return {
    stop: async () => {
      index?.stop()
      await Promise.all([feeds.close(), syncs.close(), deliveries.close(), rounds.stop()])
    },
  }
}
