import type { UsageCursor } from '../domain/ledger.ts'

/** A place in the journal: the number of a file, and a byte offset between two of its batches. */
export interface Position {
  readonly file: number
  readonly offset: number
}

export const journalStart: Position = { file: 1, offset: 0 }

/** Encodes a position for the ledger. */
export const cursorOf = ({ file, offset }: Position): UsageCursor => `${file}:${offset}` as UsageCursor

/** Decodes what `cursorOf` has encoded. */
export function positionOf(cursor: UsageCursor): Position {
  const [file = 1, offset = 0] = cursor.split(':').map(Number)
  return { file, offset }
}
