import type { FieldMapping, MappingDescription, Rejection, UnclearCode } from '../../domain/import.ts'
import type { RecordKind } from '../../domain/record-write.ts'
import type { Fields } from '../row.ts'
import { setField } from './cells.ts'

/** Converts the rows of one input to records. */
export interface Mapping {
  /** Kind of the records; undefined if it must be guessed from the first rows. */
  readonly kind: RecordKind | undefined
  /** Source of records without a source, unless the operator specifies one. */
  readonly source?: string
  /** True if records that name no country get the one at their coordinates. */
  readonly countryFromPoint?: boolean
  /** The columns that `apply` reads; undefined for all. */
  readonly columns?: readonly string[]
  /**
   * Converts a row to a record; returns the row itself if no conversion is needed. `kind` is undefined until it has been
   * guessed.
   */
  apply(row: { readonly record: Fields }, kind?: RecordKind): Mapped
  /** Describes the mapping of the first rows. Throws UnclearInput if no row has a requested column. */
  describe(rows: readonly Fields[], kind: RecordKind): MappingDescription
  /** Returns the columns of the rows so far that are not used. */
  unused(): readonly string[]
}

/** A record in NDJSON form. If `rejection` is set, only the key fields are reliable, and they may be missing. */
export interface Mapped {
  readonly record: Fields
  readonly rejection?: Rejection
}

/** Error of an input that requires more options from the operator, with a user-facing message. */
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

/** Returns the value of a column or of its member: `names.primary`, `addresses.0.locality`. */
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
  throw new UnclearInput(
    'unknown_column',
    `Column ${from}, which is mapped to field ${field}, does not exist.`,
    columns,
  )
}

/**
 * Sets fields of a record. Continues after an invalid value, so that the record gets its key; returns the first
 * rejection.
 */
export function setFields(
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
