import type { Metrics } from '../kit/metrics.ts'
import type { PackedKeeper } from '../packed/packed-keeper.ts'
import type { ServingPacked } from './serving-packed.ts'

/** Adds the metrics of the packed bodies. */
export function addPackedMetrics(metrics: Metrics, { keepers }: ServingPacked, countHits: () => number): void {
  const byVersion = (read: (keeper: PackedKeeper) => number) => () =>
    [...keepers].map(([version, keeper]) => [{ version }, read(keeper)] as const)
  metrics.addGauges(
    'periplus_packed_places',
    'Number of places with a packed body; 0 while the file is missing or built again.',
    ['version'],
    byVersion(({ current }) => current?.facts.places ?? 0),
  )
  metrics.addGauges(
    'periplus_packed_changed_places',
    'Number of places that have changed since the packed bodies were built.',
    ['version'],
    byVersion(({ current }) => current?.changedPlaces ?? 0),
  )
  metrics.addCounters(
    'periplus_packed_failures_total',
    'Number of failed attempts to load or build packed bodies.',
    ['version'],
    byVersion(({ failuresTotal }) => failuresTotal),
  )
  metrics.addCounters('periplus_packed_hits_total', 'Number of bodies that were found in packed files.', [], () => [
    [{}, countHits()],
  ])
}
