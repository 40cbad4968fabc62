import type { Rejection } from './row.ts'

export type StopReason = 'too_many_rejected' | 'cancelled'

/** Counts of an import. */
export interface Report {
  read: number
  added: number
  changed: number
  unchanged: number
  removed: number
  rejected: number
  /** Rejected rows by reason. */
  readonly reasons: Record<string, number>
  /** Dropped or defaulted values by note. */
  readonly notes: Record<string, number>
  seconds: number
  /** Reason why the import ended before its input did; the batches stored before remain. */
  stopped?: StopReason
}

export const emptyReport = (): Report => ({
  read: 0,
  added: 0,
  changed: 0,
  unchanged: 0,
  removed: 0,
  rejected: 0,
  reasons: {},
  notes: {},
  seconds: 0,
})

export function countRejection(report: Report, rejection: Rejection): void {
  report.rejected++
  report.reasons[rejection.reason] = (report.reasons[rejection.reason] ?? 0) + 1
}

export function countNotes(report: Report, notes: readonly string[]): void {
  for (const note of notes) report.notes[note] = (report.notes[note] ?? 0) + 1
}

/** Returns sentences that suggest a cause where one explains many rejected rows. */
export function adviceOf({ reasons }: Readonly<Report>): string[] {
  if (reasons.copy_text_format === undefined) return []
  return [
    "The input looks like COPY's text format, which doubles every backslash. Even accepted rows may contain wrong line ends and quotes. Use psql -At with SELECT row_to_json(…), as docs/guides/from-postgres.md shows, and import again.",
  ]
}
