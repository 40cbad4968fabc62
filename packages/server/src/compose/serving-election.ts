import { hostname } from 'node:os'
import type { Config } from '../config/load.ts'
import type { ProcessRole } from '../domain/processes.ts'
import type { NewerSchema } from '../domain/store-errors.ts'
import { packageVersion } from '../kit/bundled.ts'
import { type Election, type ElectionParts, startElection } from './election.ts'
import { JobFailures } from './job-failures.ts'
import { createFeedScheduler } from './serving-feeds.ts'
import { createSyncScheduler } from './sync-scheduler.ts'
import { startWorkerJobs, type WorkerJobParts } from './worker-jobs.ts'

/** Dependencies of a process that takes part in the election. */
export interface ElectionJobParts extends WorkerJobParts, Pick<ElectionParts, 'onRefused'> {}

/** Takes part in the election of the worker of a database; undefined if the stores are in the data folder. */
export function joinElection(config: Config, role: ProcessRole, parts: ElectionJobParts): Election | undefined {
  const { processes } = parts.engine
  return (
    processes &&
    startElection({
      join: () => processes.join({ role, name: hostname(), release: packageVersion() }),
      start: () => startWorkerJobs(config, parts),
      onRefused: parts.onRefused,
      log: parts.log,
    })
  )
}

/** The work of a service next to answering requests. */
export interface ServingWork {
  /** Starts the work. Call it when the service listens. */
  start(): void
  /** The part in the election of the worker; undefined before `start`, and with stores in the data folder. */
  readonly election: Election | undefined
  /** Resolves when the database refuses this release; the process must end. */
  readonly refused: Promise<NewerSchema>
  /** Returns a message for operators for each job of the worker that has failed here. */
  notes(): string[]
  close(): Promise<void>
}

/**
 * Creates the work of a service: the jobs of the worker while it is elected, or builds of feeds if the stores are in
 * the data folder, where the ledger thread does the rest.
 */
export function createServingWork(config: Config, parts: Omit<WorkerJobParts, 'failures'>): ServingWork {
  const { engine } = parts
  const feeds = createFeedScheduler(config, parts)
  const syncs = createSyncScheduler(config, { ...parts, onFailure: () => failures.add('A sync') })
  const failures = new JobFailures(parts.clock.nowMs)
  const { promise: refused, resolve: onRefused } = Promise.withResolvers<NewerSchema>()
  let election: Election | undefined
  return {
    refused,
    start: () => {
      if (engine.processes) election = joinElection(config, 'serve', { ...parts, failures, onRefused })
      else {
        feeds.start()
        syncs.start()
      }
    },
    get election() {
      return election
    },
    notes: () => failures.notes(),
    close: async () => {
      await Promise.all([election?.stop(), feeds.close(), syncs.close()])
    },
  }
}
