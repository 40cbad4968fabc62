import type { ImportReport, Rejection, UnknownKind } from '../domain/import.ts'

export function countRejection(report: ImportReport, rejection: Rejection): void {
  report.rejected++
  report.reasons[rejection.reason] = (report.reasons[rejection.reason] ?? 0) + 1
}

export function countNotes(report: ImportReport, notes: readonly string[]): void {
  for (const note of notes) report.notes[note] = (report.notes[note] ?? 0) + 1
}

/** Number of values of a kind at which the rare ones are dropped. */
const maxUnknownValues = 2000
const maxUnknownLength = 80

/** Counts a value that is in none of the tables. Drops the rarer half when there are too many values. */
export function countUnknown({ unknown }: ImportReport, kind: UnknownKind, value: string): void {
  const counts = unknown[kind]
  const text = value.slice(0, maxUnknownLength)
  counts.set(text, (counts.get(text) ?? 0) + 1)
  if (counts.size < maxUnknownValues) return
  const rare = [...counts].sort((a, b) => a[1] - b[1]).slice(0, maxUnknownValues / 2)
  for (const [one] of rare) counts.delete(one)
}
