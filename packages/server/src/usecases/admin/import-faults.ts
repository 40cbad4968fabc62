import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import type { SyncStop } from '../../domain/full-sync.ts'
import type { ImportReport } from '../../domain/import.ts'
import type { ImportMode } from '../../domain/importer.ts'
import { LockHeld } from '../../domain/store-errors.ts'

/** Returns the fault of an import that could not start; undefined for an unexpected error. */
export function startFault(error: unknown, { wait }: ImportMode): AdminFault | undefined {
  if (error instanceof LockHeld) return adminFault('import_running', [], {})
  return wait?.signal?.aborted ? adminFault('import_cancelled', [], { read: 0, nothingRemoved: true }) : undefined
}

/** Returns the fault of an import that stopped before the end of its input. */
export const stopFault = ({ stopped, read, rejected }: ImportReport, nothingRemoved: boolean): AdminFault =>
  stopped === 'cancelled'
    ? adminFault('import_cancelled', [], { read, nothingRemoved })
    : adminFault('too_many_rejected', [], { read, rejected, nothingRemoved })

/** Returns the fault of a full sync that did not remove all missing records. */
export function syncStopFault(stop: SyncStop): AdminFault {
  if (stop.reason === 'cancelled') return adminFault('removal_cancelled', [], {})
  const { kind, missing, stored } = stop.removal
  return adminFault('too_many_missing', [], { source: stop.source, kind, missing, stored })
}
