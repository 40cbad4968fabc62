import type { Engine } from '../domain/stores.ts'
import type { SyncStore } from '../domain/sync.ts'
import { durationBoundsS } from '../http/wire/traffic.ts'
import type { FairQueue } from '../kit/fair-queue.ts'
import type { Logger } from '../kit/log.ts'
import { Metrics } from '../kit/metrics.ts'
import type { Threads } from '../kit/threads.ts'
import { addBlobMetrics } from './blob-errors.ts'
import { addDataMetrics, type DataMetricSources } from './data-metrics.ts'
import { addFeedMetrics, type FeedMetricSources } from './feed-metrics.ts'
import { addLimitMetrics } from './limit-metrics.ts'
import { addPackedMetrics } from './packed-metrics.ts'
import { addStoreMetrics, addThreadMetrics, addWorkerMetrics } from './process-metrics.ts'
import type { ServingPacked } from './serving-packed.ts'
import type { ServingSearch } from './serving-search.ts'
import type { SharedNode } from './shared-node.ts'
import { addSyncMetrics } from './sync-metrics.ts'
import type { ThreadMeasures } from './thread-measures.ts'
import { addUsageMetrics, type UsageMetricSources } from './usage-metrics.ts'

/** The parts of a running service that metrics are read from. */
export interface MetricSources extends DataMetricSources, FeedMetricSources, UsageMetricSources {
  readonly log: Logger
  /** Returns the sums of the measures of all serving threads, as they were read last. */
  measures(): ThreadMeasures
  /** Reads the measures of other threads. */
  readMeasures(): Promise<void>
  readonly packed: ServingPacked
  readonly syncs: SyncStore
  readonly threads: Threads
  readonly queues: ServingSearch['queues'] & { readonly queries: FairQueue }
  readonly stores: Pick<Engine, 'failures' | 'statements' | 'reads'>
  /** The limits that nodes share; undefined if they are not shared. */
  readonly sharedLimits: Pick<SharedNode, 'measures'> | undefined
  /** Returns true while this process does what the stores need once. */
  readonly isWorker: () => boolean
}

/** Creates all metrics of the service. docs/guides/operate.md explains how to use them. */
export function composeMetrics(sources: MetricSources): Metrics {
  const metrics = new Metrics(
    (metric, error) => sources.log.warn({ metric, err: error }, 'Could not read a metric.'),
    () => sources.readMeasures(),
  )
  metrics.addProcessMetrics()
  addTrafficMetrics(metrics, sources)
  addConnectionMetrics(metrics, sources)
  addUsageMetrics(metrics, sources)
  addDataMetrics(metrics, sources)
  addPackedMetrics(metrics, sources.packed, () => sources.measures().packedHits)
  addStoreMetrics(metrics, sources.stores)
  addBlobMetrics(metrics)
  addFeedMetrics(metrics, sources)
  addSyncMetrics(metrics, sources.syncs)
  const { sharedLimits } = sources
  if (sharedLimits) addLimitMetrics(metrics, () => sharedLimits.measures())
  addThreadMetrics(metrics, sources.threads)
  addQueueMetrics(metrics, sources)
  addWorkerMetrics(metrics, sources.isWorker)
  return metrics
}

function addTrafficMetrics(metrics: Metrics, { measures }: MetricSources): void {
  const labels = ['operation', 'version', 'status']
  metrics.addCounters('periplus_requests_total', 'Number of responses.', labels, () => measures().requests)
  const durations = () =>
    measures().durations.map(({ operation, counts, sumS }) => ({ labels: { operation }, counts, sum: sumS }))
  const help = 'Time from the arrival of a request until its response is ready, in seconds.'
  metrics.addHistograms('periplus_request_duration_seconds', help, ['operation'], durationBoundsS, durations)
  metrics.addCounters(
    'periplus_refusals_total',
    'Number of requests refused by a limit policy.',
    ['policy'],
    () => measures().refusals,
  )
  metrics.addCounters('periplus_fast_path_total', 'Number of requests answered in front of the router.', [], () => [
    [{}, measures().onShortWay],
  ])
  metrics.addCounters('periplus_units_total', 'Number of units charged.', ['operation'], () => measures().units)
}

function addConnectionMetrics(metrics: Metrics, { measures }: MetricSources): void {
  metrics.addGauge(
    'periplus_open_connections',
    'Open connections to the partner port.',
    () => measures().held.connections,
  )
  metrics.addGauge(
    'periplus_unsent_bytes',
    'Size of the responses that have not left the process because clients do not read them, in bytes.',
    () => measures().held.unsentBytes,
  )
  metrics.addCounters(
    'periplus_connections_ended_total',
    'Connections that the service ended: unread (a response made no progress), address (too many of one address) or pipelining (too many requests that wait).',
    ['reason'],
    () => [[{ reason: 'unread' }, measures().stalled], ...measures().ended],
  )
}

function addQueueMetrics(metrics: Metrics, { queues }: MetricSources): void {
  const ofQueues = (read: (queue: FairQueue) => number) => () =>
    Object.entries(queues).map(([thread, queue]) => [{ thread }, read(queue)] as const)
  metrics.addGauges(
    'periplus_search_queue',
    'Number of long queries that wait for the thread.',
    ['thread'],
    ofQueues(({ waiting }) => waiting),
  )
  metrics.addCounters(
    'periplus_search_refused_total',
    'Number of long queries that were refused with 503 because too many were waiting for the thread.',
    ['thread'],
    ofQueues(({ refusedTotal }) => refusedTotal),
  )
}
