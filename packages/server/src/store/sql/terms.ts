import { type TimeOrder, timeOrders } from '../../domain/list-order.ts'
import type { Visibility } from '../../domain/visibility.ts'
import type { SqlParams } from './database.ts'

/** A part of a statement, and the values of its parameters. */
export interface Term {
  readonly sql: string
  readonly params: SqlParams
}

/** Returns the condition that a column has a value; no condition without a value. */
export const equals = (column: string, name: string, value: string | number | undefined): readonly Term[] =>
  value === undefined ? [] : [{ sql: `${column} = @${name}`, params: { [name]: value } }]

/** Returns the query for the values of a parameter that `toList` made: one text whatever their number. */
export const listOf = (name: string): string => `SELECT key FROM json_each(@${name})`

/** Returns a list of values as a parameter. Both databases read the members of a JSON object in the same way. */
export const toList = (values: readonly string[]): string =>
  JSON.stringify(Object.fromEntries(values.map(value => [value, 0])))

/** Returns rows as a parameter for `json_each`; a column is `value ->> 'name'`. */
export const toRows = (rows: readonly object[]): string => JSON.stringify({ ...rows })

/** Returns the condition that a column has one of the values; no condition without values. */
export function isOneOf(column: string, name: string, values: readonly string[] | undefined): readonly Term[] {
  if (values === undefined) return []
  return [{ sql: `${column} IN (${listOf(name)})`, params: { [name]: toList(values) } }]
}

/** Returns the condition of the rows that are visible, for the column of the partner. */
export const isVisible = (partnerColumn: string, visibility: Visibility): readonly Term[] =>
  equals(partnerColumn, 'visible', 'all' in visibility ? undefined : visibility.partnerId)

/** Joins conditions to the WHERE clause of a statement. */
export const where = (terms: readonly Term[]): Term => ({
  sql: terms.length === 0 ? '' : `WHERE ${terms.map(({ sql }) => sql).join(' AND ')}`,
  params: Object.assign({}, ...terms.map(({ params }) => params)),
})

/** The order of the rows of a log. */
interface LogOrder {
  /** The condition of the rows after a number; no condition at the start. */
  readonly follows: readonly Term[]
  readonly sorted: string
}

/** Returns the order of a log whose numbers are in a column. */
export function logOrder(
  column: string,
  after: number | undefined,
  { isDescending }: TimeOrder = timeOrders.byDefault,
): LogOrder {
  const [follows, direction] = isDescending ? ['<', ' DESC'] : ['>', '']
  return {
    follows: after === undefined ? [] : [{ sql: `${column} ${follows} @after`, params: { after } }],
    sorted: `ORDER BY ${column}${direction}`,
  }
}
