import type { ReplacedFile } from '../domain/store-errors.ts'
import type { Engine } from '../domain/stores.ts'
import { systemClock } from '../kit/clock.ts'
import { toError } from '../kit/to-error.ts'
import { type EventRoundOptions, startEventRounds } from './event-rounds.ts'
import { type MaintenanceOptions, startMaintenance } from './maintenance.ts'
import { startReleaseRound } from './release-round.ts'
import { startUsageExport, type UsageExportSettings } from './usage-export.ts'

/** Settings of the rounds; may be sent to another thread. */
export interface WorkerRoundsTask {
  readonly usageExport: UsageExportSettings
  readonly events: Pick<EventRoundOptions, 'versions' | 'isMailSent'>
  readonly maintenance: Omit<MaintenanceOptions, 'nowMs' | 'onError'>
}

/** An event of the rounds, which retry after an error. */
export type WorkerRoundEvent =
  | { readonly maintenanceError: Error }
  | { readonly exportFailure: string }
  | { readonly exportError: Error }
  | { readonly eventError: Error }
  | { readonly releaseError: Error }
  /** Names of processes of older releases, for which the removal of what they need waits. */
  | { readonly older: readonly string[] }
  | { readonly receiversExist: true }
  | { readonly replaced: ReplacedFile }

/**
 * Starts the rounds that the stores need once, however many nodes use them: maintenance, dated events, the
 * export of usage, and the end of an upgrade. Call it in a thread that serves no requests.
 */
export function startWorkerRounds(
  engine: Engine,
  { usageExport, events, maintenance }: WorkerRoundsTask,
  emit: (event: WorkerRoundEvent) => void,
): { stop(): Promise<void> } {
  const { nowMs } = systemClock
  const { releases } = engine
  const rounds = [
    startUsageExport(engine, usageExport, {
      onFailure: exportFailure => emit({ exportFailure }),
      onError: error => emit({ exportError: toError(error) }),
    }),
    startMaintenance(engine, {
      ...maintenance,
      nowMs,
      onError: error => emit({ maintenanceError: toError(error) }),
    }),
    startEventRounds(engine, {
      ...events,
      nowMs,
      onError: error => emit({ eventError: toError(error) }),
      onReceivers: () => emit({ receiversExist: true }),
    }),
    ...(releases
      ? [
          startReleaseRound(releases, {
            onOlder: older => emit({ older }),
            onError: error => emit({ releaseError: toError(error) }),
          }),
        ]
      : []),
  ]
  return {
    stop: async () => {
      await Promise.all(rounds.map(round => round.stop()))
    },
  }
}
