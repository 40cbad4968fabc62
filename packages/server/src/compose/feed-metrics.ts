import { type FeedSnapshot, feedNames } from '../domain/feed.ts'
import type { FeedLibrary } from '../domain/feed-stores.ts'
import type { Locks } from '../domain/stores.ts'
import type { Clock } from '../kit/clock.ts'
import type { Metrics } from '../kit/metrics.ts'
import type { FeedStatus } from './feed-status.ts'

/** The parts of a running service that the metrics of the feeds are read from. */
export interface FeedMetricSources {
  readonly clock: Clock
  readonly locks: Locks
  readonly feeds: FeedLibrary
  readonly feedStatus: FeedStatus
  /** Names of all versions in which feeds may be built. */
  readonly feedVersions: readonly string[]
}

/** Adds the metrics of the feeds, per feed and version. */
export function addFeedMetrics(
  metrics: Metrics,
  { feeds, feedStatus, feedVersions, locks, clock }: FeedMetricSources,
): void {
  const labels = ['feed', 'version']
  const latest = async (read: (snapshot: FeedSnapshot) => number) => {
    const editions = feedNames.flatMap(feed => feedVersions.map(version => ({ feed, version })))
    const found = await Promise.all(
      editions.map(async edition => ({ edition, last: (await feeds.list(edition)).at(-1) })),
    )
    return found.flatMap(({ edition, last }) => (last ? [[{ ...edition }, read(last)] as const] : []))
  }
  metrics.addGauges('periplus_feed_age_seconds', 'Age of the latest snapshot of a feed, in seconds.', labels, () =>
    latest(({ manifest }) => (clock.nowMs() - Date.parse(manifest.created_at)) / 1000),
  )
  metrics.addGauges(
    'periplus_feed_records',
    'Number of records in the data set of the latest snapshot of a feed.',
    labels,
    () => latest(({ manifest }) => manifest.records_of_result),
  )
  metrics.addGauges(
    'periplus_feed_withheld',
    '1 while builds of a feed are withheld, otherwise 0.',
    labels,
    async () => {
      const withheld = feedStatus.withheld()
      const isWithheld = ({ feed, version }: FeedSnapshot['manifest']) =>
        withheld.some(one => one.feed === feed && one.version === version)
      return latest(({ manifest }) => (isWithheld(manifest) ? 1 : 0))
    },
  )
  metrics.addGauge('periplus_feed_build_running', '1 while a feed build is running, otherwise 0.', async () =>
    (await locks.isHeld('feeds')) ? 1 : 0,
  )
}
