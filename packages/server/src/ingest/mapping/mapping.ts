import type { RecordKind } from '../../domain/stores.ts'
import type { Fields, Rejection } from '../row.ts'
import { put } from './cells.ts'

/** Which field is made of what. */
export interface FieldMapping {
  readonly field: string
  /** A column, a member by its path (`names.primary`), or words. */
  readonly from: string
}

/** How the rows of one input become records. */
export interface Mapping {
  /** undefined: to be told from the first rows. */
  readonly kind: RecordKind | undefined
  /** Of records that name no source, unless the operator says which. */
  readonly source?: string
  /** The columns that `apply` looks at; undefined for all. */
  readonly columns?: readonly string[]
  /** The record of a row; the row itself where nothing has to be done. */
  apply(row: { readonly record: Fields }): Mapped
  /** What is made of what, after a look at the first rows. Throws UnclearInput where none has a column that was asked for. */
  describe(rows: readonly Fields[], kind: RecordKind): MappingDescription
}

/** A record as NDJSON would bring it; with a rejection it is good for its key at most. */
export interface Mapped {
  readonly record: Fields
  readonly rejection?: Rejection
}

/** For a person: which field is made of what, and which columns of nothing. */
export interface MappingDescription {
  readonly fields: readonly FieldMapping[]
  readonly unused: readonly string[]
}

/** The operator's choice that an input needs: its kind, a column for a required field, or an existing column. */
export type UnclearCode = 'unknown_kind' | 'missing_fields' | 'unknown_column'

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

/** The value of a column, or of a member of it: `names.primary`, `addresses.0.locality`. */
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

/** Refuses a `--map` that names what is not there. */
export function checkColumns(asked: readonly FieldMapping[], columns: readonly string[]): void {
  const wrong = asked.find(({ from }) => !columns.includes(from) && !columns.includes(from.split('.', 1)[0]!))
  if (!wrong) return
  throw new UnclearInput('unknown_column', `There is no column ${wrong.from} for the field ${wrong.field}.`, columns)
}

/** Fills a record with the fields that `read` gives; goes on behind the first that is wrong, so that the key is there. */
export function fill(
  record: Record<string, unknown>,
  fields: readonly FieldMapping[],
  read: (from: string) => unknown,
): Mapped {
  let rejection: Rejection | undefined
  for (const { field, from } of fields) {
    const wrong = put(record, field, read(from))
    rejection ??= wrong
  }
  return rejection ? { record, rejection } : { record }
}
