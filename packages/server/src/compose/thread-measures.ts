import type { Durations, Traffic } from '../http/wire/traffic.ts'
import type { MetricReading } from '../kit/metrics.ts'
import type { LocationCache } from '../store/location-cache.ts'
import type { ServingConnections } from './serving-connections.ts'

/** The counters of a serving thread since its start, and the amounts that it holds at the moment. */
export interface ThreadMeasures {
  readonly requests: readonly MetricReading[]
  readonly durations: readonly Durations[]
  readonly refusals: readonly MetricReading[]
  readonly units: readonly MetricReading[]
  readonly onShortWay: number
  readonly ended: readonly MetricReading[]
  readonly stalled: number
  readonly cacheHits: number
  readonly cacheMisses: number
  readonly packedHits: number
  readonly held: HeldMeasures
}

/** The amounts that a serving thread holds; 0 when it has ended. */
export interface HeldMeasures {
  readonly connections: number
  readonly unsentBytes: number
  readonly cacheEntries: number
}

export interface MeasuredThread extends ServingConnections {
  readonly traffic: Traffic
  readonly locations: Pick<LocationCache, 'stats'>
  countPackedHits(): number
}

const nothingHeld: HeldMeasures = { connections: 0, unsentBytes: 0, cacheEntries: 0 }

/** Returns the measures of a thread that has ended. */
export const withoutHeld = (measures: ThreadMeasures): ThreadMeasures => ({ ...measures, held: nothingHeld })

/** Reads the measures of the calling thread. */
export function readThreadMeasures(parts: MeasuredThread): ThreadMeasures {
  const { traffic, connections, unsent, locations } = parts
  const { hits, misses, entries } = locations.stats()
  return {
    requests: [...traffic.requests()],
    durations: [...traffic.durations()],
    refusals: [...traffic.refusals()],
    units: [...traffic.units()],
    onShortWay: traffic.onShortWay,
    ended: Object.entries(connections.ended).map(([reason, count]) => [{ reason }, count] as const),
    stalled: unsent.stalled,
    cacheHits: hits,
    cacheMisses: misses,
    packedHits: parts.countPackedHits(),
    held: { connections: connections.size, unsentBytes: unsent.bytes, cacheEntries: entries },
  }
}

/** Adds the measures of threads. */
export function addMeasures(first: ThreadMeasures, ...others: readonly ThreadMeasures[]): ThreadMeasures {
  if (others.length === 0) return first
  const all = [first, ...others]
  const sum = (of: (measures: ThreadMeasures) => number) => all.reduce((total, measures) => total + of(measures), 0)
  return {
    requests: addReadings(all.flatMap(({ requests }) => requests)),
    durations: first.durations.map((durations, i) => addDurations(all.map(each => each.durations[i] ?? durations))),
    refusals: addReadings(all.flatMap(({ refusals }) => refusals)),
    units: addReadings(all.flatMap(({ units }) => units)),
    onShortWay: sum(each => each.onShortWay),
    ended: addReadings(all.flatMap(({ ended }) => ended)),
    stalled: sum(each => each.stalled),
    cacheHits: sum(each => each.cacheHits),
    cacheMisses: sum(each => each.cacheMisses),
    packedHits: sum(each => each.packedHits),
    held: {
      connections: sum(({ held }) => held.connections),
      unsentBytes: sum(({ held }) => held.unsentBytes),
      cacheEntries: sum(({ held }) => held.cacheEntries),
    },
  }
}

function addReadings(readings: readonly MetricReading[]): MetricReading[] {
  const sums = new Map<string, MetricReading>()
  for (const [labels, value] of readings) {
    const name = JSON.stringify(labels)
    sums.set(name, [labels, value + (sums.get(name)?.[1] ?? 0)])
  }
  return [...sums.values()]
}

const addDurations = ([first, ...others]: readonly Durations[]): Durations => ({
  operation: first!.operation,
  counts: first!.counts.map((count, i) => others.reduce((sum, { counts }) => sum + counts[i]!, count)),
  sumS: others.reduce((sum, { sumS }) => sum + sumS, first!.sumS),
})
