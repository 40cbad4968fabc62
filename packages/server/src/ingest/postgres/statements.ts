/** Columns of a query, as the server describes them. */
export interface QueryColumn {
  readonly name: string
  /** Id of the type. */
  readonly dataTypeID: number
}

/** Types of cursor columns: how far back a run reads again depends on them (R-165). */
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
const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Removes the semicolon and the blanks at the end of a query. */
const trimQuery = (query: string): string => query.trim().replace(/(\s*;)+\s*$/, '')

/** Wraps a query as a table; the line end closes a comment in its last line. */
const asTable = (query: string): string => `(${trimQuery(query)}\n) AS source`

/** Returns the statement that describes the columns of a query. */
export const describeStatement = (query: string): string => `SELECT * FROM ${asTable(query)} LIMIT 0`

/** Spans of an interval around now: later values are in the future; a position is not later than `latest` then. */
const untilNow: Readonly<Record<string, { readonly future: string; readonly latest: string }>> = {
  timestamptz: { future: '0', latest: '0' },
  // Without a zone, now is any time between those of the first and the last zone.
  timestamp: { future: '14 hours', latest: '-12 hours' },
  date: { future: '14 hours', latest: '-12 hours' },
}

/** Returns the position of a row. A time in the future, such as 9999-12-31, would keep later runs from all changes. */
function positionOf(column: string, type: string): string {
  const spans = untilNow[type]
  if (!spans) return column
  const at = (span: string) => `(now() + interval '${span}')::${type}`
  return `CASE WHEN ${column} > ${at(spans.future)} THEN ${at(spans.latest)} ELSE ${column} END`
}

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
  const value = position === undefined ? undefined : `${quoteText(position)}::${cursorTypeName}`
  return [
    'DECLARE periplus_sync NO SCROLL CURSOR FOR',
    // With `.*`, a column with the name `source` is not in the way.
    `SELECT row_to_json(source.*)::text AS record, (${positionOf(column, cursorTypeName)})::text AS position,`,
    `${value === undefined ? 'false' : `${column} <= ${value}`} AS known FROM ${asTable(query)}`,
    // A run that continues after a kill does not read rows without a value, so they come first.
    value === undefined
      ? `ORDER BY ${column} NULLS FIRST`
      : `WHERE ${column} >= ${lowest(value, { type, cursorTypeName, overlap })} ORDER BY ${column}`,
  ].join('\n')
}

function lowest(
  value: string,
  { type, cursorTypeName, overlap }: Pick<ReadOptions, 'type' | 'cursorTypeName' | 'overlap'>,
): string {
  if (type === 'time') return `(${value} - interval ${quoteText(overlap)})`
  if (type === 'text') return value
  // An index on a column of integers serves no comparison with a numeric.
  const number = cursorTypeName === 'numeric' ? 'numeric' : 'bigint'
  return `(${value} - ${quoteText(overlap)}::${number})`
}

/** Writes a text as a literal; DECLARE accepts no parameters in every protocol. */
const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`
