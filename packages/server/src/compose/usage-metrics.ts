import { getFreeBytes } from '../kit/free-space.ts'
import type { Metrics } from '../kit/metrics.ts'
import type { Layout } from '../store/folder/layout.ts'
import type { Journal } from '../usage/journal.ts'
import type { JournalHealth } from '../usage/journal-health.ts'
import type { JournalLag } from '../usage/journal-lag.ts'

/** The parts of a running service that the metrics of its journal are read from. */
export interface UsageMetricSources {
  readonly layout: Layout
  readonly journal: Journal
  readonly lag: JournalLag
  readonly health: JournalHealth
}

/** Adds the metrics of the usage journal and of the disk that has it. */
export function addUsageMetrics(metrics: Metrics, { journal, lag, health, layout }: UsageMetricSources): void {
  metrics.addGauge(
    'periplus_journal_lag_bytes',
    'Bytes of the usage journal that are not yet folded into the ledger.',
    () => lag.bytes(),
  )
  metrics.addGauge(
    'periplus_journal_lag_records',
    'Records of the usage journal that are not yet folded into the ledger.',
    () => lag.records(),
  )
  metrics.addGauge(
    'periplus_journal_lag_seconds',
    'Upper bound of the age of the oldest record that is not yet folded, in seconds.',
    () => lag.seconds(),
  )
  metrics.addGauge(
    'periplus_journal_failing',
    '1 while the usage journal cannot be written and requests are refused, otherwise 0.',
    () => (journal.failure() ? 1 : 0),
  )
  const damaged = () => Object.entries(health.counts()).map(([outcome, count]) => [{ outcome }, count] as const)
  metrics.addCounters(
    'periplus_journal_damaged_files_total',
    'Number of files of the usage journal that were missing, shortened or replaced: restored without loss, or lost.',
    ['outcome'],
    damaged,
  )
  metrics.addGauge('periplus_data_free_bytes', 'Free space on the disk of the data folder, in bytes.', () =>
    getFreeBytes(layout.root),
  )
}
