import { totalmem } from 'node:os'
import type { ServiceMeasures } from '../domain/service-measures.ts'
import { getFreeBytes } from '../kit/free-space.ts'
import type { RecentWarnings } from '../kit/recent-warnings.ts'
import type { MetricSources } from './metrics.ts'

/** Reads the measures that the console explains; `/metrics` has more of them. */
export async function readMeasures(sources: MetricSources, recent: RecentWarnings): Promise<ServiceMeasures> {
  const { clock, journal, lag, health, index, changes, stores, threads, queues, layout } = sources
  const info = index.info()
  const failure = journal.failure()
  const waiting = Object.values(queues)
  return {
    startedMs: clock.nowMs() - process.uptime() * 1000,
    memory: {
      usedBytes: process.memoryUsage.rss(),
      availableBytes: Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem()),
    },
    responses: countResponses(sources),
    connections: sources.measures().held.connections,
    journal: {
      ...(failure && { failure: failure.reason }),
      lagRecords: lag.records(),
      lagSeconds: lag.seconds(),
      lostFiles: health.counts().lost,
    },
    ...(info && {
      index: {
        places: info.documents,
        changesBehind: Math.max(0, (await changes.lastSeq()) - info.revision),
        overlayChanges: info.changes,
      },
    }),
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

function countResponses({ measures }: Pick<MetricSources, 'measures'>): ServiceMeasures['responses'] {
  const counts = { all: 0, failed: 0 }
  for (const [{ status }, count] of measures().requests) {
    counts.all += count
    if (Number(status) >= 500) counts.failed += count
  }
  return counts
}
