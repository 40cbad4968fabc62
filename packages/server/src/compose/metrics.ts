import { statfsSync } from 'node:fs'
import { type FeedSnapshot, feedNames } from '../domain/feed.ts'
import type { ChangeLog, FeedLibrary, Locks } from '../domain/stores.ts'
import { durationBoundsS, type Traffic } from '../http/wire/traffic.ts'
import type { Clock } from '../kit/clock.ts'
import { Metrics } from '../kit/metrics.ts'
import type { IndexKeeper } from '../search/keep/index-keeper.ts'
import type { Layout } from '../store/folder/layout.ts'
import type { LocationCache } from '../store/location-cache.ts'
import type { Journal } from '../usage/journal.ts'
import type { JournalLag } from '../usage/journal-lag.ts'

/** What a running service is measured by. */
export interface Measured {
  readonly layout: Layout
  readonly clock: Clock
  readonly traffic: Traffic
  readonly locations: LocationCache
  readonly journal: Journal
  readonly lag: JournalLag
  readonly index: IndexKeeper
  readonly changes: ChangeLog
  readonly locks: Locks
  readonly feeds: FeedLibrary
  /** Names of versions that feeds may be in. */
  readonly feedVersions: readonly string[]
  readonly openConnections: () => number
}

/** Every metric of the service; the guide operate.md says what to make of them. */
export function composeMetrics(measured: Measured): Metrics {
  const metrics = new Metrics()
  metrics.ofProcess()
  ofTraffic(metrics, measured)
  ofBooks(metrics, measured)
  ofData(metrics, measured)
  ofFeeds(metrics, measured)
  return metrics
}

function ofTraffic(metrics: Metrics, { traffic, openConnections }: Measured): void {
  const by = ['operation', 'version', 'status']
  metrics.counters('periplus_requests_total', 'Answers.', by, () => traffic.requests())
  const durations = () =>
    traffic.durations().map(({ operation, counts, sumS }) => ({ labels: { operation }, counts, sum: sumS }))
  const help = 'From when a request was there until its answer was made, seconds.'
  metrics.histograms('periplus_request_duration_seconds', help, ['operation'], durationBoundsS, durations)
  metrics.counters('periplus_refusals_total', 'Calls refused by limits.', ['policy'], () => traffic.refusals())
  metrics.counters('periplus_units_total', 'Units charged.', ['operation'], () => traffic.units())
  metrics.gauge('periplus_open_connections', 'Connections to the port of partners.', openConnections)
}

function ofBooks(metrics: Metrics, { journal, lag, layout }: Measured): void {
  metrics.gauge('periplus_journal_lag_bytes', 'Journal not yet folded into the ledger.', () => lag.bytes())
  metrics.gauge('periplus_journal_lag_records', 'Calls not yet folded into the ledger.', () => lag.records())
  metrics.gauge('periplus_journal_lag_seconds', 'The most that the oldest of them can be old.', () => lag.seconds())
  metrics.gauge('periplus_journal_failing', '1 while calls cannot be counted, and none is served.', () =>
    journal.failure() ? 1 : 0,
  )
  metrics.gauge('periplus_data_free_bytes', 'Free on the disk of the data folder.', () => {
    const { bavail, bsize } = statfsSync(layout.root)
    return bavail * bsize
  })
}

function ofData(metrics: Metrics, { index, changes, locks, locations, clock }: Measured): void {
  metrics.gauge('periplus_index_ready', '1 once there is an index.', () => (index.ready ? 1 : 0))
  metrics.gauge('periplus_index_revision', 'Up to where searches know the changes.', () => index.info()?.revision)
  metrics.gauge('periplus_index_age_seconds', 'Since the main segment was built.', () => seconds(index.info()?.ageMs))
  metrics.gauge('periplus_index_delta_changes', 'Changes beside the main segment.', () => index.info()?.changes)
  metrics.gauge('periplus_index_places', 'Places that can be found.', () => index.info()?.documents)
  metrics.gauge('periplus_data_revision', 'The number of the newest change of the data.', () => changes.lastSeq())
  metrics.gauge('periplus_data_changed_seconds', 'Since the newest change of the data.', async () => {
    const newest = (await changes.after((await changes.lastSeq()) - 1, 1))[0]
    return newest && Math.max(0, seconds(clock.nowMs() - newest.atMs)!)
  })
  metrics.gauge('periplus_import_running', '1 while an import, or the end of an erasure, holds the data.', async () =>
    (await locks.isHeld('import')) ? 1 : 0,
  )
  const counts = () => {
    const { hits, misses } = locations.stats()
    return [
      [{ outcome: 'hit' }, hits],
      [{ outcome: 'miss' }, misses],
    ] as const
  }
  metrics.counters('periplus_location_cache_total', 'Locations that were asked for.', ['outcome'], counts)
  metrics.gauge('periplus_location_cache_entries', 'Locations in memory.', () => locations.stats().entries)
}

function ofFeeds(metrics: Metrics, { feeds, feedVersions, locks, clock }: Measured): void {
  const labels = ['feed', 'version']
  const newest = async (read: (snapshot: FeedSnapshot) => number) => {
    const editions = feedNames.flatMap(feed => feedVersions.map(version => ({ feed, version })))
    const found = await Promise.all(
      editions.map(async edition => ({ edition, last: (await feeds.list(edition)).at(-1) })),
    )
    return found.flatMap(({ edition, last }) => (last ? [[{ ...edition }, read(last)] as const] : []))
  }
  metrics.gauges('periplus_feed_age_seconds', 'Since the newest snapshot was made.', labels, () =>
    newest(({ manifest }) => seconds(clock.nowMs() - Date.parse(manifest.created_at))!),
  )
  metrics.gauges('periplus_feed_records', 'Records of the set that the newest snapshot leads to.', labels, () =>
    newest(({ manifest }) => manifest.records_of_result),
  )
  metrics.gauge('periplus_feed_build_running', '1 while feeds are built.', async () =>
    (await locks.isHeld('feeds')) ? 1 : 0,
  )
}

const seconds = (ms: number | undefined): number | undefined => (ms === undefined ? undefined : ms / 1000)
