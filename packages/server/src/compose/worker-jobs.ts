import type { Config } from '../config/load.ts'
import type { Engine } from '../domain/stores.ts'
import type { Clock } from '../kit/clock.ts'
import type { Logger } from '../kit/log.ts'
import type { Threads } from '../kit/threads.ts'
import type { Layout } from '../store/folder/layout.ts'
import { createDeliveries } from './serving-deliveries.ts'
import { createFeedScheduler } from './serving-feeds.ts'
import type { WorkerRoundEvent } from './worker-rounds.ts'
import { describeWorkerRounds, logWorkerRound, startWorkerThread } from './worker-thread.ts'

/** Dependencies of the jobs of the worker. */
export interface WorkerJobParts {
  readonly engine: Engine
  readonly layout: Layout
  readonly clock: Clock
  readonly threads: Threads
  readonly log: Logger
  readonly isDemo: boolean
  /** Called with each event of the rounds. */
  readonly onRound?: (event: WorkerRoundEvent) => void
}

/** Starts what a database needs once: rounds of maintenance and events, deliveries, and builds of feeds. */
export function startWorkerJobs(config: Config, parts: WorkerJobParts): { stop(): Promise<void> } {
  const { engine, layout, clock, threads, log, onRound = () => {} } = parts
  const deliveries = createDeliveries(config, parts)
  const feeds = createFeedScheduler(engine.descriptor, config, threads, log)
  feeds.start()
  const task = { engine: engine.descriptor, rounds: describeWorkerRounds(config, { layout, nowMs: clock.nowMs() }) }
  const rounds = startWorkerThread(threads, task, event => {
    logWorkerRound(log, event, deliveries.start)
    onRound(event)
  })
  return {
    stop: async () => {
      await Promise.all([feeds.close(), deliveries.close(), rounds.stop()])
    },
  }
}
