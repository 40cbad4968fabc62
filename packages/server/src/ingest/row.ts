import type { Rejection } from '../domain/import.ts'

/** The fields of a row by name. */
export type Fields = Readonly<Record<string, unknown>>

/** A row from a format reader. If `rejection` is set, `record` is present only if the key may be readable. */
export interface Row {
  /** Number of the first line of the row, from 1; in formats without lines, the number of the feature or row. */
  readonly line: number
  /** Returns the original text of the row for the rejects file; JSON if the format is binary. */
  text(): string
  readonly record?: Fields
  readonly rejection?: Rejection
  /** Position in a source that is not a file. */
  readonly position?: string
}
