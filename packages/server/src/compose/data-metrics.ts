import type { ChangeLog } from '../domain/data-stores.ts'
import type { Locks } from '../domain/stores.ts'
import type { Clock } from '../kit/clock.ts'
import type { Metrics } from '../kit/metrics.ts'
import type { IndexKeeper } from '../search/keep/index-keeper.ts'
import type { ThreadMeasures } from './thread-measures.ts'

/** The parts of a running service that the metrics of the data are read from. */
export interface DataMetricSources {
  readonly clock: Clock
  measures(): Pick<ThreadMeasures, 'cacheHits' | 'cacheMisses' | 'held'>
  readonly index: IndexKeeper
  readonly changes: ChangeLog
  /** Returns the number of the newest change that the caches have followed; undefined before the first reading. */
  readonly followedSeq: () => number | undefined
  readonly locks: Locks
}

/** Adds the metrics of the data: the search index, the change log, imports and the location cache. */
export function addDataMetrics(metrics: Metrics, sources: DataMetricSources): void {
  addIndexMetrics(metrics, sources.index)
  addChangeMetrics(metrics, sources)
  addCacheMetrics(metrics, sources)
}

function addIndexMetrics(metrics: Metrics, index: IndexKeeper): void {
  metrics.addGauge('periplus_index_ready', '1 if the search index is loaded, otherwise 0.', () => (index.ready ? 1 : 0))
  metrics.addGauge(
    'periplus_index_revision',
    'Sequence number of the latest change in the search index.',
    () => index.info()?.revision,
  )
  metrics.addGauge('periplus_index_age_seconds', 'Age of the main segment of the search index, in seconds.', () => {
    const info = index.info()
    return info && info.ageMs / 1000
  })
  metrics.addGauge(
    'periplus_index_delta_changes',
    'Number of changes in the overlay of the search index.',
    () => index.info()?.changes,
  )
  metrics.addGauge('periplus_index_places', 'Number of places in the search index.', () => index.info()?.documents)
  metrics.addGauge('periplus_index_parts', 'Number of parts of the search index.', () => index.info()?.parts)
  metrics.addCounters(
    'periplus_index_failures_total',
    'Number of failed attempts to load, build or update the search index.',
    [],
    () => [[{}, index.failuresTotal]],
  )
}

function addChangeMetrics(metrics: Metrics, { changes, followedSeq, locks, clock }: DataMetricSources): void {
  metrics.addGauge('periplus_data_revision', 'Sequence number of the latest change in the data.', () =>
    changes.lastSeq(),
  )
  metrics.addGauge(
    'periplus_change_seq',
    'Sequence number of the latest change that this process has seen on the server that it reads from.',
    followedSeq,
  )
  metrics.addGauge(
    'periplus_data_changed_seconds',
    'Time since the latest change in the data, in seconds.',
    async () => {
      const newest = (await changes.after((await changes.lastSeq()) - 1, 1))?.[0]
      return newest && Math.max(0, (clock.nowMs() - newest.atMs) / 1000)
    },
  )
  metrics.addGauge(
    'periplus_import_running',
    '1 while an import or the completion of an erasure holds the import lock, otherwise 0.',
    async () => ((await locks.isHeld('import')) ? 1 : 0),
  )
}

function addCacheMetrics(metrics: Metrics, { measures }: DataMetricSources): void {
  const counts = () => {
    const { cacheHits: hits, cacheMisses: misses } = measures()
    return [
      [{ outcome: 'hit' }, hits],
      [{ outcome: 'miss' }, misses],
    ] as const
  }
  metrics.addCounters('periplus_location_cache_total', 'Number of lookups in the location cache.', ['outcome'], counts)
  metrics.addGauge(
    'periplus_location_cache_entries',
    'Number of locations in the location cache.',
    () => measures().held.cacheEntries,
  )
}
