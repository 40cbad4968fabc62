import { type ListOrder, type ListPart, type ListSpan, type TimeOrder, timeOrders } from '../../domain/list-order.ts'
import type { Visibility } from '../../domain/visibility.ts'
import type { Sqlite } from '../connection.ts'

/** A term of SQL and its values. */
export type Term = readonly [sql: string, ...values: unknown[]]

/** Above every number of a row, and every number of rows. */
const maxNumber = Number.MAX_SAFE_INTEGER

/** A list in control.sqlite whose rows have a unique id. */
interface ListQuery<Name extends string> {
  /** The table, with what it is joined to. */
  readonly from: Term
  /** The table or its alias, whose columns are selected. */
  readonly table: string
  /** The column with the partner of a row. */
  readonly partnerColumn?: string
  readonly visibility?: Visibility
  readonly conditions: readonly Term[]
  /** The value of each order; never NULL, which no row follows. Rows with the same value are sorted by id. */
  readonly orders: Readonly<Record<Name, string>>
  readonly span: ListSpan<Name>
  readonly byDefault: ListOrder<Name>
}

/** Selects the part of a list that the span says. */
export function selectPart<R extends { readonly id: string }, Name extends string = string>(
  control: Sqlite,
  query: ListQuery<Name>,
): ListPart<R> {
  const { from, table, partnerColumn, visibility, orders, span } = query
  const { order = query.byDefault, after, limit = maxNumber - 1 } = span
  const value = orders[order.by]
  const [direction, follows] = order.isDescending ? ['DESC', '<'] : ['ASC', '>']
  const conditions: readonly Term[] = [
    ...(visibility && !('all' in visibility) ? [[`${partnerColumn} = ?`, visibility.partnerId] as const] : []),
    ...query.conditions,
    ...(after ? [[`(${value}, ${table}.id) ${follows} (?, ?)`, after.value, after.id] as const] : []),
  ]
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.map(([sql]) => sql).join(' AND ')}`
  const found = control
    .prepare<unknown[], R & { readonly position: string | number }>(
      `SELECT ${table}.*, ${value} AS position FROM ${from[0]} ${where}
       ORDER BY position ${direction}, ${table}.id ${direction} LIMIT ?`,
    )
    // One more shows that another part follows.
    .all(...from.slice(1), ...conditions.flatMap(([, ...values]) => values), limit + 1)
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  return { rows, ...(last && found.length > limit && { next: { value: last.position, id: last.id } }) }
}

/** Returns a part of a list with its rows converted. */
export const mapPart = <R, T>({ rows, ...rest }: ListPart<R>, present: (row: R) => T): ListPart<T> => ({
  ...rest,
  rows: rows.map(present),
})

/**
 * Returns the SQL of a log in an order: the condition of the rows after the number `@after`, which is null at the start,
 * and the sorting.
 */
export const logTerms = (column: string, { isDescending }: TimeOrder = timeOrders.byDefault) =>
  isDescending
    ? { follows: `${column} < coalesce(@after, ${maxNumber})`, sorted: `ORDER BY ${column} DESC` }
    : { follows: `${column} > coalesce(@after, 0)`, sorted: `ORDER BY ${column}` }
