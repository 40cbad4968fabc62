import type { UsageCursor } from '../domain/ledger.ts'

/** A position in the journal: the number of a file, and a byte offset between two of its batches. */
export interface JournalPosition {
  readonly file: number
  readonly offset: number
}

/** The start of a journal. */
export const journalStart: JournalPosition = { file: 1, offset: 0 }

/** Returns true if `a` is after `b`. */
export const isAfter = (a: JournalPosition, b: JournalPosition): boolean =>
  a.file > b.file || (a.file === b.file && a.offset > b.offset)

/** Encodes a position for the ledger. */
export const formatCursor = ({ file, offset }: JournalPosition): UsageCursor => `${file}:${offset}` as UsageCursor

/** Decodes a cursor of `formatCursor`. */
export function parseCursor(cursor: UsageCursor): JournalPosition {
  const [file = 1, offset = 0] = cursor.split(':').map(Number)
  return { file, offset }
}
