import type { Config } from '../config/load.ts'
import type { NewerSchema } from '../domain/store-errors.ts'
import type { Readiness } from '../http/admin/health.ts'
import { type Clock, systemClock } from '../kit/clock.ts'
import { createLog } from '../kit/log.ts'
import { Metrics } from '../kit/metrics.ts'
import { openFolder } from '../store/engine.ts'
import { resolveLifecycle } from '../versions/lifecycle.ts'
import { createAdminPort } from './admin-port.ts'
import { addBlobMetrics } from './blob-errors.ts'
import type { Election } from './election.ts'
import { describeEngine } from './engine.ts'
import { addFeedMetrics } from './feed-metrics.ts'
import { JobFailures } from './job-failures.ts'
import { openIndexSharing } from './open-index-sharing.ts'
import { addStoreMetrics, addThreadMetrics, addWorkerMetrics } from './process-metrics.ts'
import { createServiceThreads } from './service-threads.ts'
import { getServiceUrl } from './service-url.ts'
import { joinElection } from './serving-election.ts'
import { openFeeds } from './serving-feeds.ts'
import { openServingEngine, requireStaying, storePublicUrl, warnOfReadableFiles, watchMove } from './serving-folder.ts'
import { getStoreNotes } from './serving-stores.ts'
import { addSyncMetrics } from './sync-metrics.ts'

/** A process that only works for a database: it is the worker, or waits to become it. */
export interface Worker {
  /** Starts the admin port, if one is configured, and takes part in the election. Returns the URL of the port. */
  start(): Promise<string | undefined>
  readonly election: Election | undefined
  /**
   * Resolves when the process must end: because the contents of the database are being moved, or with the error if the
   * database refuses this release.
   */
  readonly endRequested: Promise<NewerSchema | undefined>
  /** Ends the work and the term, and closes everything. */
  drain(): Promise<void>
}

export async function composeWorker(config: Config, clock: Clock = systemClock): Promise<Worker> {
  const opened = new AsyncDisposableStack()
  try {
    return await openWorker(config, clock, opened)
  } catch (error) {
    await opened.disposeAsync()
    throw error
  }
}

async function openWorker(config: Config, clock: Clock, opened: AsyncDisposableStack): Promise<Worker> {
  const { log, flush } = createLog(config.server.logLevel)
  opened.defer(flush)
  const layout = openFolder(describeEngine(config), { create: false })
  warnOfReadableFiles(layout, log)
  const engine = opened.adopt(await openServingEngine(config, clock, log), close)
  await requireStaying(engine)
  const threads = createServiceThreads(log)
  const { feeds, feedStatus } = await openFeeds(config, layout, log, opened)
  const failures = new JobFailures(clock.nowMs)
  const state: { election?: Election | undefined; isDraining: boolean } = { isDraining: false }
  const readiness: Readiness = {
    reasons: () => (state.isDraining ? ['shutting down'] : getElectionReasons(state.election)),
    notes: () => [
      ...getElectionNotes(state.election),
      ...getStoreNotes(engine, clock.nowMs()),
      ...threads.notes(),
      ...failures.notes(),
      ...(state.election?.state === 'elected' ? feedStatus.notes() : []),
    ],
  }
  const metrics = async () => {
    const all = new Metrics((metric, error) => log.warn({ metric, err: error }, 'Could not read a metric.'))
    all.addProcessMetrics()
    addWorkerMetrics(all, () => state.election?.state === 'elected')
    addStoreMetrics(all, engine)
    addBlobMetrics(all)
    addThreadMetrics(all, threads)
    const feedVersions = resolveLifecycle(config).versions.map(({ name }) => name)
    addSyncMetrics(all, engine.syncs)
    addFeedMetrics(all, { feeds, feedStatus, feedVersions, locks: engine.locks, clock })
    return all
  }
  const admin = opened.adopt(createAdminPort(config.server, { metrics, readiness, log }), close)
  const onFailure = () => failures.add('Sharing the search index')
  const sharing = openIndexSharing(config, layout, engine, { log, onFailure })
  opened.defer(async () => {
    await Promise.all([state.election?.stop(), sharing?.stop()])
  })
  const { promise: refused, resolve: onRefused } = Promise.withResolvers<NewerSchema>()
  return {
    endRequested: Promise.race([watchMove({ engine, log }, opened), refused]),
    start: async () => {
      const url = await admin.listen()
      // Feeds name the address of the service.
      storePublicUrl(layout.publicUrl, getServiceUrl(config.server))
      const parts = { engine, layout, clock, threads, log, isDemo: false, failures, sharing, onRefused }
      state.election = joinElection(config, 'work', parts)
      return url
    },
    get election() {
      return state.election
    },
    drain: () => {
      state.isDraining = true
      return opened.disposeAsync()
    },
  }
}

const close = (part: { close(): Promise<void> }): Promise<void> => part.close()

/** Returns why a worker is not ready: another one would do better. */
function getElectionReasons(election: Election | undefined): string[] {
  if (!election || election.state === 'starting') return ['starting']
  return election.state === 'cut off' ? ['the database cannot be reached'] : []
}

/** Returns a message for operators while this process waits to become the worker. */
function getElectionNotes(election: Election | undefined): string[] {
  if (election?.state !== 'waiting') return []
  return election.worker === undefined
    ? ['Standing by: no process is elected yet.']
    : [`Standing by: the worker is a process on ${election.worker.name}.`]
}
