import type { MetricSources } from './metrics.ts'
import type { ServingConnections } from './serving-connections.ts'
import type { ServingWork } from './serving-election.ts'
import type { OpenedParts } from './serving-parts.ts'
import { readThreadMeasures } from './thread-measures.ts'

/** Returns the parts that metrics are read from. */
export function metricSourcesOf(parts: OpenedParts, limited: ServingConnections, work: ServingWork): MetricSources {
  const { layout, clock, log, threads, feeds, feedStatus, lifecycle, engine, usage, search, caches, account, packed } =
    parts
  const { journal, lag, health } = usage
  const own = {
    ...limited,
    traffic: parts.traffic,
    locations: caches.locations,
    countPackedHits: packed.countHits,
  }
  const { others } = parts
  return {
    measures: () => others?.sumWith(readThreadMeasures(own)) ?? readThreadMeasures(own),
    readMeasures: async () => others?.readMeasures(),
    layout,
    clock,
    log,
    threads,
    feeds,
    feedStatus,
    journal,
    lag,
    health,
    changes: engine.changes,
    followedSeq: caches.followedSeq,
    locks: engine.locks,
    syncs: engine.syncs,
    stores: engine,
    sharedLimits: usage.node,
    isWorker: () => engine.processes === undefined || work.election?.state === 'elected',
    packed,
    index: search.index,
    queues: { ...search.queues, queries: account.queue },
    feedVersions: lifecycle.versions.map(({ name }) => name),
  }
}
