import type { ImportReport, Rejection } from '../domain/import.ts'

export function countRejection(report: ImportReport, rejection: Rejection): void {
  report.rejected++
  report.reasons[rejection.reason] = (report.reasons[rejection.reason] ?? 0) + 1
}

export function countNotes(report: ImportReport, notes: readonly string[]): void {
  for (const note of notes) report.notes[note] = (report.notes[note] ?? 0) + 1
}
