import type { Metrics } from '../kit/metrics.ts'
import type { SharedLimitMeasures } from './shared-node.ts'

const modes = ['in', 'joining', 'alone', 'stopped'] as const

/** Adds the metrics of the limits that nodes share. */
export function addLimitMetrics(metrics: Metrics, read: () => SharedLimitMeasures): void {
  addDecisionMetrics(metrics, read)
  addNodeMetrics(metrics, read)
}

function addDecisionMetrics(metrics: Metrics, read: () => SharedLimitMeasures): void {
  metrics.addCounters(
    'periplus_limit_decisions_total',
    'Decisions of shared limits: swapped, known (without a swap, because nothing changes) or void (answered with 503).',
    ['outcome'],
    () => {
      const { decided, withoutSwap, voided } = read().rounds
      return [
        [{ outcome: 'swapped' }, decided - withoutSwap],
        [{ outcome: 'known' }, withoutSwap],
        [{ outcome: 'void' }, voided],
      ]
    },
  )
  metrics.addCounters(
    'periplus_limit_swaps_total',
    'Swaps of limit states that were sent: won, or beaten by another node. Each is one state; those of a turn are one trip.',
    ['result'],
    () => {
      const { swaps, beaten } = read().rounds
      return [
        [{ result: 'won' }, swaps - beaten],
        [{ result: 'beaten' }, beaten],
      ]
    },
  )
}

function addNodeMetrics(metrics: Metrics, read: () => SharedLimitMeasures): void {
  metrics.addGauge('periplus_limit_epoch', 'Epoch in which this node decides; 0 in none.', () => read().epoch)
  metrics.addGauges(
    'periplus_limit_mode',
    '1 for the mode of this node: in (an epoch), joining (calls are refused), alone (it applies its part), or stopped.',
    ['mode'],
    () => modes.map(mode => [{ mode }, mode === read().mode ? 1 : 0] as const),
  )
  const { pauses } = read()
  metrics.addHistograms(
    'periplus_limit_pause_seconds',
    'Time in which this node was in no epoch between two, in seconds.',
    [],
    pauses.boundsS,
    () => [{ labels: {}, ...pauses.read() }],
  )
  metrics.addCounters(
    'periplus_limit_alone_units_total',
    'Units that this node has charged while it answered alone.',
    [],
    () => [[{}, read().aloneUnits]],
  )
  metrics.addCounters(
    'periplus_late_records_total',
    'Calls of this node that were folded after the epoch that they belong to, which ended the next one.',
    [],
    () => [[{}, read().lateRecords]],
  )
  metrics.addGauge(
    'periplus_line_offset_seconds',
    'Distance of the clock of this node from that of all nodes, in seconds.',
    () => read().lineOffsetSeconds,
  )
  metrics.addGauge(
    'periplus_download_leases',
    'Open feed downloads of this node, which the limits of all nodes count.',
    () => read().openDownloads,
  )
}
