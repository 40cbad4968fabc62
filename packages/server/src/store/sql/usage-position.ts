import type { LastRecord, ProcessClock, UsageCursor } from '../../domain/ledger.ts'

/** The row of the position in a journal, of its last record, and of the clock of the process that served last. */
export interface UsagePositionRow {
  readonly position: UsageCursor
  readonly last_ms: number | null
  readonly last_shift_ms: number | null
  readonly start_ms: number | null
  readonly boot_id: string | null
  readonly boot_us: number | null
  readonly behind_ms: number
}

/** Returns the last record of a row; undefined before the first. */
export const lastRecordOf = ({ last_ms, last_shift_ms }: UsagePositionRow): LastRecord | undefined =>
  last_ms === null ? undefined : { timeMs: last_ms, shiftMs: last_shift_ms ?? 0 }

/** Returns the clock of a row; undefined before the first process. */
export function clockOf({ start_ms, boot_id, boot_us, behind_ms }: UsagePositionRow): ProcessClock | undefined {
  if (start_ms === null) return undefined
  const boot = boot_id === null || boot_us === null ? undefined : { id: boot_id, us: boot_us }
  return { startMs: start_ms, boot, behindMs: behind_ms }
}

/** Returns the columns of the clock of a process that starts to serve. */
export function clockColumns(nowMs: number, clock: ProcessClock | undefined) {
  const { startMs = nowMs, boot, behindMs = 0 } = clock ?? {}
  return { startMs, bootId: boot?.id ?? null, bootUs: boot?.us ?? null, behindMs }
}
