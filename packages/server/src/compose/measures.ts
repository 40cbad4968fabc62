import { totalmem } from 'node:os'
import { operationNames } from '../domain/operation.ts'
import type { ServiceMeasures } from '../domain/service-measures.ts'
import { durationBoundsS } from '../http/wire/traffic.ts'
import { getFreeBytes } from '../kit/free-space.ts'
import type { MetricReading } from '../kit/metrics.ts'
import type { RecentWarnings } from '../kit/recent-warnings.ts'
import type { MetricSources } from './metrics.ts'
import type { ThreadMeasures } from './thread-measures.ts'

/** Reads the measures that the console explains; `/metrics` has more of them. */
export async function readMeasures(sources: MetricSources, recent: RecentWarnings): Promise<ServiceMeasures> {
  const { clock, journal, lag, health, index, changes, stores, threads, queues, layout, packed, feedStatus, locks } =
    sources
  const info = index.info()
  const failure = journal.failure()
  const waiting = Object.values(queues)
  const { held, ended, stalled, refusals, cacheHits, cacheMisses } = sources.measures()
  const lastSeq = await changes.lastSeq()
  const newest = (await changes.after(lastSeq - 1, 1))?.[0]
  const keepers = [...packed.keepers.values()]
  return {
    startedMs: clock.nowMs() - process.uptime() * 1000,
    memory: {
      usedBytes: process.memoryUsage.rss(),
      availableBytes: Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem()),
    },
    responses: countResponses(sources),
    refused: addUp(refusals),
    connections: { open: held.connections, unsentBytes: held.unsentBytes, ended: stalled + addUp(ended) },
    cache: { hits: cacheHits, misses: cacheMisses },
    packed: {
      places: Math.max(0, ...keepers.map(({ current }) => current?.facts.places ?? 0)),
      failures: keepers.reduce((sum, { failuresTotal }) => sum + failuresTotal, 0),
    },
    ...(newest && { changedMs: newest.atMs }),
    withheldFeeds: feedStatus.withheld().length,
    journal: {
      ...(failure && { failure: failure.reason }),
      lagRecords: lag.records(),
      lagSeconds: lag.seconds(),
      lostFiles: health.counts().lost,
    },
    ...(info && {
      index: {
        places: info.documents,
        revision: info.revision,
        ageMs: info.ageMs,
        changesBehind: Math.max(0, lastSeq - info.revision),
        overlayChanges: info.changes,
      },
    }),
    running: { isImporting: await locks.isHeld('import'), isBuildingFeeds: await locks.isHeld('feeds') },
    indexFailures: index.failuresTotal,
    storeFailures: stores.failures().reduce((sum, { count }) => sum + count, 0),
    threads: threads.statuses().map(({ name, up, restarts }) => ({ name, up, restarts })),
    queries: {
      waiting: waiting.reduce((sum, queue) => sum + queue.waiting, 0),
      refused: waiting.reduce((sum, { refusedTotal }) => sum + refusedTotal, 0),
    },
    freeBytes: getFreeBytes(layout.root),
    warnings: recent.list(),
  }
}

const addUp = (readings: readonly MetricReading[]): number => readings.reduce((sum, [, count]) => sum + count, 0)

function countResponses({ measures }: Pick<MetricSources, 'measures'>): ServiceMeasures['responses'] {
  const { requests, durations } = measures()
  const calls = durations.filter(({ operation }) => operationNames.some(name => name === operation))
  const mostWithinMs = boundOf(calls, 0.99)
  return {
    all: addUp(requests),
    failed: addUp(requests.filter(([{ status }]) => Number(status) >= 500)),
    ...(mostWithinMs !== undefined && { mostWithinMs }),
  }
}

/** Number of calls below which a share of them says nothing. */
const fewCalls = 100

/** Returns the upper bound of the times of a share of the calls, in milliseconds; undefined for few calls. */
function boundOf(durations: ThreadMeasures['durations'], share: number): number | undefined {
  const counts = [...durationBoundsS, Number.POSITIVE_INFINITY].map((_, i) =>
    durations.reduce((sum, one) => sum + (one.counts[i] ?? 0), 0),
  )
  const all = counts.reduce((sum, count) => sum + count, 0)
  if (all < fewCalls) return undefined
  let within = 0
  const bucket = counts.findIndex(count => {
    within += count
    return within >= all * share
  })
  return (durationBoundsS[bucket] ?? Number.POSITIVE_INFINITY) * 1000
}
