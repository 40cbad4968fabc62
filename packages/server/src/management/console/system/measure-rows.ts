import type { ServiceMeasures } from '../../../domain/service-measures.ts'
import { formatBytes, formatCount, formatNumber, formatPercent } from '../../../web/parts/number.ts'
import { formatDuration } from '../../../web/parts/time.ts'
import { dataRows, indexRows } from './data-rows.ts'
import { type MeasureRow, toneIf } from './measure-row.ts'

/** Shares and times above which a measure needs attention. */
const bounds = {
  failedShare: 0.001,
  responseMs: 1000,
  unsentBytes: 100_000_000,
  lagSeconds: 60,
  memoryShare: 0.85,
}

const severities: readonly MeasureRow['tone'][] = ['bad', 'warn', 'good']

/** Explains the measures of the service, the worst first; `more` follow those of the data. */
export const measureRows = (
  measures: ServiceMeasures,
  nowMs: number,
  more: readonly MeasureRow[],
): readonly MeasureRow[] =>
  listRows(measures, nowMs, more).toSorted((a, b) => severities.indexOf(a.tone) - severities.indexOf(b.tone))

const listRows = (measures: ServiceMeasures, nowMs: number, more: readonly MeasureRow[]): readonly MeasureRow[] => [
  processRow(measures, nowMs),
  ...responseRows(measures),
  connectionRow(measures),
  ...journalRows(measures),
  ...indexRows(measures),
  ...dataRows(measures, nowMs),
  ...more,
  ...threadRows(measures),
  {
    label: 'Stores',
    value: `${formatCount(measures.storeFailures, 'failed read or write', 'failed reads and writes')} since the start`,
    fine: 'No failures. The log names file and cause.',
    tone: toneIf(measures.storeFailures > 0, 'warn'),
  },
]

function processRow({ startedMs, memory }: ServiceMeasures, nowMs: number): MeasureRow {
  const share = memory.usedBytes / memory.availableBytes
  return {
    label: 'Process',
    value: `Running for ${formatDuration(nowMs - startedMs)}, with ${formatBytes(memory.usedBytes)} of memory (${formatPercent(share)})`,
    fine: `Up to ${formatPercent(bounds.memoryShare)} of the memory of the machine or container.`,
    tone: toneIf(share > bounds.memoryShare, 'warn'),
  }
}

function responseRows({ responses: { all, failed, mostWithinMs }, refused }: ServiceMeasures): MeasureRow[] {
  const share = all === 0 ? 0 : failed / all
  return [
    {
      label: 'Responses',
      value: `${formatNumber(all)} since the start, ${formatNumber(failed)} of them with a status of 500 or above`,
      fine: `Up to ${formatPercent(bounds.failedShare)} failed.`,
      tone: toneIf(share > bounds.failedShare, 'bad'),
    },
    {
      label: 'Response time',
      value: responseTime(mostWithinMs),
      fine: `99 % within ${formatNumber(bounds.responseMs)} ms.`,
      tone: toneIf(mostWithinMs !== undefined && mostWithinMs > bounds.responseMs, 'warn'),
    },
    {
      label: 'Refused by limits',
      value: `${formatCount(refused, 'call')} since the start`,
      fine: 'Any number: limits are agreed. Requests shows whom they affect.',
      tone: 'good',
    },
  ]
}

function responseTime(mostWithinMs: number | undefined): string {
  if (mostWithinMs === undefined) return 'Fewer than 100 calls since the start'
  return Number.isFinite(mostWithinMs)
    ? `99 % of the responses were ready within ${formatNumber(mostWithinMs)} ms`
    : 'More than 1 % of the responses took over 5 s'
}

const connectionRow = ({ connections: { open, unsentBytes, ended } }: ServiceMeasures): MeasureRow => ({
  label: 'Connections',
  value: `${formatNumber(open)} open, ${formatBytes(unsentBytes)} not yet read by clients, ${formatNumber(ended)} ended by the service since the start`,
  fine: `Up to ${formatBytes(bounds.unsentBytes)} unread. The service ends connections that make no progress, and too many of one address.`,
  tone: toneIf(unsentBytes > bounds.unsentBytes, 'warn'),
})

function journalRows({ journal }: ServiceMeasures): MeasureRow[] {
  const { failure, lagRecords, lagSeconds, lostFiles } = journal
  return [
    {
      label: 'Usage journal',
      value: failure ?? 'Every call is written before its answer is sent',
      fine: 'Always. While it fails, calls are refused with 503, because they could not be billed.',
      tone: toneIf(failure !== undefined, 'bad'),
    },
    {
      label: 'Ledger',
      value: `${formatCount(lagRecords, 'call is', 'calls are')} not yet counted, the oldest for at most ${formatNumber(Math.round(lagSeconds))} s`,
      fine: `Up to ${bounds.lagSeconds} s behind the journal.`,
      tone: toneIf(lagRecords > 0 && lagSeconds > bounds.lagSeconds, 'warn'),
    },
    {
      label: 'Lost journal files',
      value: formatNumber(lostFiles),
      fine: 'None. Restore the file from a backup, then run a verification.',
      tone: toneIf(lostFiles > 0, 'bad'),
    },
  ]
}

function threadRows({ threads, queries }: ServiceMeasures): MeasureRow[] {
  const down = threads.filter(({ up }) => !up).map(({ name }) => name)
  const restarts = threads.reduce((sum, thread) => sum + thread.restarts, 0)
  return [
    {
      label: 'Threads',
      value:
        down.length === 0
          ? `All ${threads.length} are running, ${formatCount(restarts, 'restart')} since the start`
          : `Waiting for a restart: ${down.join(', ')}`,
      fine: 'All are running, without restarts.',
      tone: down.length > 0 ? 'bad' : toneIf(restarts > 0, 'warn'),
    },
    {
      label: 'Long queries',
      value: `${formatNumber(queries.waiting)} waiting, ${formatNumber(queries.refused)} refused since the start because too many waited`,
      fine: 'None refused.',
      tone: toneIf(queries.refused > 0, 'warn'),
    },
  ]
}
