import type { StoreFailureCount } from '../domain/store-errors.ts'
import type { Engine } from '../domain/stores.ts'
import type { Metrics } from '../kit/metrics.ts'
import type { ThreadStatus } from '../kit/thread.ts'
import type { Threads } from '../kit/threads.ts'

/** Adds the metrics of the failures of stores, and of a database. */
export function addStoreMetrics(metrics: Metrics, stores: Pick<Engine, 'failures' | 'statements' | 'reads'>): void {
  const counts = () => stores.failures().map(({ store, kind, count }) => [{ store, kind }, count] as const)
  metrics.addCounters(
    'periplus_store_failures_total',
    'Number of failed reads and writes of a store, by cause.',
    ['store', 'kind'],
    counts,
  )
  const { statements } = stores
  metrics.addHistograms(
    'periplus_store_query_seconds',
    'Time from a statement of a request to the reply of the database, in seconds.',
    [],
    statements?.boundsS ?? [],
    () => (statements ? [{ labels: {}, ...statements.read() }] : []),
  )
  metrics.addCounters(
    'periplus_store_unavailable_total',
    'Number of reads and writes that failed because the database could not be used.',
    [],
    () => (statements ? [[{}, sumUnavailable(stores.failures())]] : []),
  )
  metrics.addGauges(
    'periplus_replica_lag_seconds',
    'Time by which a replica is behind the primary, up to an hour; missing while it does not answer.',
    ['replica'],
    () => stores.reads.lags().map(({ replica, lagMs }) => [{ replica }, lagMs / 1000] as const),
  )
}

const sumUnavailable = (failures: readonly StoreFailureCount[]): number =>
  failures.reduce((sum, { kind, count }) => (kind === 'unavailable' ? sum + count : sum), 0)

/** Adds the metrics of the threads of a process. */
export function addThreadMetrics(metrics: Metrics, threads: Threads): void {
  const values = (read: (status: ThreadStatus) => number) => () =>
    threads.statuses().map(status => [{ thread: status.name }, read(status)] as const)
  metrics.addGauges(
    'periplus_thread_up',
    '1 if the thread can work, 0 while it waits to be restarted after it ended unexpectedly.',
    ['thread'],
    values(({ up }) => (up ? 1 : 0)),
  )
  metrics.addCounters(
    'periplus_thread_restarts_total',
    'Number of restarts of the thread after it ended unexpectedly.',
    ['thread'],
    values(({ restarts }) => restarts),
  )
}

/** Adds the metric of the worker; a service whose stores are in the data folder always is. */
export function addWorkerMetrics(metrics: Metrics, isWorker: () => boolean): void {
  metrics.addGauge(
    'periplus_worker_elected',
    '1 if this process is the worker: it does what the stores need once. Otherwise 0.',
    () => (isWorker() ? 1 : 0),
  )
}
