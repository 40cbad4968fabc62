/** Columns of a query, as the server describes them. */
export interface QueryColumn {
  readonly name: string
  /** Id of the type. */
  readonly dataTypeID: number
}

/** Types of cursor columns: how far back a run reads again depends on them. */
export type CursorType = 'time' | 'number' | 'text'

const typesById: Readonly<Record<number, { readonly type: CursorType; readonly name: string }>> = {
  20: { type: 'number', name: 'bigint' },
  21: { type: 'number', name: 'smallint' },
  23: { type: 'number', name: 'integer' },
  1700: { type: 'number', name: 'numeric' },
  25: { type: 'text', name: 'text' },
  1043: { type: 'text', name: 'text' },
  2950: { type: 'text', name: 'uuid' },
  1082: { type: 'time', name: 'date' },
  1114: { type: 'time', name: 'timestamp' },
  1184: { type: 'time', name: 'timestamptz' },
}

/** Returns the type of a cursor column; undefined if its values have no useful order. */
export const cursorTypeOf = (id: number): (typeof typesById)[number] | undefined => typesById[id]

/** Writes a name as an identifier of SQL. */
export const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Removes the semicolon and the blanks at the end of a query. */
export const trimQuery = (query: string): string => query.trim().replace(/(\s*;)+\s*$/, '')

/** Wraps a query as a table; the line end closes a comment in its last line. */
const asTable = (query: string): string => `(${trimQuery(query)}\n) AS source`

/** Returns the statement that describes the columns of a query. */
export const describeStatement = (query: string): string => `SELECT * FROM ${asTable(query)} LIMIT 0`

/** Places of the values in the statement that reads rows. */
export interface ReadOptions {
  readonly query: string
  readonly cursor: string
  readonly cursorTypeName: string
  readonly type: CursorType
  /** Position to read from; undefined for all rows. */
  readonly position: string | undefined
  /** An interval for times, a number for numbers. */
  readonly overlap: string
}

/**
 * Returns the statement that declares the cursor. Rows with the value of the position are read again, and so are those
 * within the overlap before it: a transaction may commit rows with earlier values after others were read.
 */
export function readStatement({ query, cursor, cursorTypeName, type, position, overlap }: ReadOptions): string {
  const column = `source.${quoteIdentifier(cursor)}`
  const from = position === undefined ? undefined : lowest(position, { type, cursorTypeName, overlap })
  return [
    'DECLARE periplus_sync NO SCROLL CURSOR FOR',
    `SELECT row_to_json(source)::text AS record, ${column}::text AS position FROM ${asTable(query)}`,
    ...(from === undefined ? [] : [`WHERE ${column} >= ${from}`]),
    `ORDER BY ${column}`,
  ].join('\n')
}

function lowest(
  position: string,
  { type, cursorTypeName, overlap }: Pick<ReadOptions, 'type' | 'cursorTypeName' | 'overlap'>,
): string {
  const value = `${quoteText(position)}::${cursorTypeName}`
  if (type === 'time') return `(${value} - interval ${quoteText(overlap)})`
  return type === 'number' ? `(${value} - ${quoteText(overlap)}::numeric)` : value
}

/** Writes a text as a literal; DECLARE accepts no parameters in every protocol. */
const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`
