import type { Rejection } from '../domain/import.ts'

/** The fields of a row by name. */
export type Fields = Readonly<Record<string, unknown>>

/** A row as a format reader yields it. With a rejection, `record` is present only where the key may be readable. */
export interface Row {
  /** The line on which the row begins, from 1; the number of the feature or row in formats without lines. */
  readonly line: number
  /** Returns the row as it is in the input, for the rejects file; as JSON where the format is binary. */
  text(): string
  readonly record?: Fields
  readonly rejection?: Rejection
}
