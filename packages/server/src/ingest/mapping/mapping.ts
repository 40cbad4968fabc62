import type { FieldMapping, MappingDescription, Rejection, UnclearCode } from '../../domain/import.ts'
import type { RecordKind } from '../../domain/record-write.ts'
import type { Fields } from '../row.ts'
import { setField } from './cells.ts'

/** Converts the rows of one input to records. */
export interface Mapping {
  /** undefined if the kind must be guessed from the first rows. */
  readonly kind: RecordKind | undefined
  /** Source of records that name none, unless the operator names one. */
  readonly source?: string
  /** The columns that `apply` reads; undefined for all. */
  readonly columns?: readonly string[]
  /** Converts a row to a record; returns the row itself if no conversion is needed. */
  apply(row: { readonly record: Fields }): Mapped
  /** Describes the mapping of the first rows. Throws UnclearInput if no row has a requested column. */
  describe(rows: readonly Fields[], kind: RecordKind): MappingDescription
}

/** A record in the form of NDJSON records. With a rejection, only its key is usable, if anything. */
export interface Mapped {
  readonly record: Fields
  readonly rejection?: Rejection
}

/** An input that cannot be imported until the operator says more about it; `message` is a sentence. */
export class UnclearInput extends Error {
  readonly code: UnclearCode
  /** Columns of the input; empty for formats without columns. */
  readonly columns: readonly string[]

  constructor(code: UnclearCode, message: string, columns: readonly string[] = []) {
    super(columns.length === 0 ? message : `${message} The columns are: ${columns.join(', ')}.`)
    this.code = code
    this.columns = columns
  }
}

/** Returns the value of a column or of a member of it: `names.primary`, `addresses.0.locality`. */
export function valueAt(row: Fields, path: string): unknown {
  if (Object.hasOwn(row, path)) return row[path]
  if (!path.includes('.')) return undefined
  let value: unknown = row
  for (const step of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Record<string, unknown>)[step]
  }
  return value
}

/** Throws UnclearInput if a requested column does not exist. */
export function checkColumns(requested: readonly FieldMapping[], columns: readonly string[]): void {
  const missing = requested.find(({ from }) => !columns.includes(from) && !columns.includes(from.split('.', 1)[0]!))
  if (!missing) return
  const { field, from } = missing
  throw new UnclearInput('unknown_column', `There is no column ${from} for the field ${field}.`, columns)
}

/** Sets fields of a record, and continues after an invalid one so that the record has its key. */
export function fill(
  record: Record<string, unknown>,
  fields: readonly FieldMapping[],
  read: (from: string) => unknown,
): Mapped {
  let rejection: Rejection | undefined
  for (const { field, from } of fields) {
    const invalid = setField(record, field, read(from))
    rejection ??= invalid
  }
  return rejection ? { record, rejection } : { record }
}
