import type { SyncOutcome, SyncStore } from '../domain/sync.ts'
import type { Metrics } from '../kit/metrics.ts'

/** Adds the metrics of syncs, read from their states. */
export function addSyncMetrics(metrics: Metrics, syncs: SyncStore): void {
  const read = async (value: (last: SyncOutcome) => number | undefined) =>
    (await syncs.list()).flatMap(({ name, last }) => {
      const found = value(last)
      return found === undefined ? [] : [[{ sync: name }, found] as const]
    })
  metrics.addGauges(
    'periplus_sync_last_success_seconds',
    'Time of the last successful run of a sync, in seconds since 1970.',
    ['sync'],
    () => read(({ succeededMs }) => succeededMs && succeededMs / 1000),
  )
  metrics.addGauges(
    'periplus_sync_failures',
    'Number of failed runs of a sync since its last successful one.',
    ['sync'],
    () => read(({ failures }) => failures),
  )
  metrics.addGauges(
    'periplus_sync_rows',
    'Number of rows that all runs of a sync have stored or rejected, by outcome.',
    ['sync', 'outcome'],
    async () =>
      (await syncs.list()).flatMap(({ name, last: { counts } }) =>
        (['added', 'changed', 'removed', 'rejected'] as const).map(
          outcome => [{ sync: name, outcome }, counts[outcome]] as const,
        ),
      ),
  )
}
