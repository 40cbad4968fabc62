import type { RecordKind } from '../../domain/stores.ts'
import type { Fields, Rejection } from '../row.ts'
import { put } from './cells.ts'

/** Which field is made of what. */
export interface FieldFrom {
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
  /** What is made of what, after a look at the first rows. Throws Unclear where none has a column that was asked for. */
  describe(rows: readonly Fields[], kind: RecordKind): Description
}

/** A record as NDJSON would bring it; with a rejection it is good for its key at most. */
export interface Mapped {
  readonly record: Fields
  readonly rejection?: Rejection
}

/** For a person: which field is made of what, and which columns of nothing. */
export interface Description {
  readonly fields: readonly FieldFrom[]
  readonly unused: readonly string[]
}

/** An operator's `--map field=column`: `from` is the column. */
export type AskedField = FieldFrom

/** What an input holds cannot be told, or is not there: the operator has to say. */
export class Unclear extends Error {}

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
export function checkColumns(asked: readonly AskedField[], columns: readonly string[]): void {
  const wrong = asked.find(({ from }) => !columns.includes(from) && !columns.includes(from.split('.', 1)[0]!))
  if (!wrong) return
  throw new Unclear(
    `--map ${wrong.field}=${wrong.from}: there is no column ${wrong.from}. The columns are: ${columns.join(', ')}.`,
  )
}

/** Fills a record with the fields that `read` gives; goes on behind the first that is wrong, so that the key is there. */
export function fill(
  record: Record<string, unknown>,
  fields: readonly FieldFrom[],
  read: (from: string) => unknown,
): Mapped {
  let rejection: Rejection | undefined
  for (const { field, from } of fields) {
    const wrong = put(record, field, read(from))
    rejection ??= wrong
  }
  return rejection ? { record, rejection } : { record }
}
