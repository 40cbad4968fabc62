import type { ListOrder, ListPart, ListSpan } from '../../domain/list-order.ts'
import type { SqlDatabase } from './database.ts'
import { type Term, where } from './terms.ts'

/** A list whose rows have a unique id. */
interface ListQuery<Name extends string> {
  /** The table, with what it is joined to. */
  readonly from: Term | string
  /** The table or its alias, whose columns are selected. */
  readonly table: string
  readonly conditions: readonly Term[]
  /** The value of each order; never NULL, which no row follows. Rows with the same value are sorted by id. */
  readonly orders: Readonly<Record<Name, string>>
  readonly span: ListSpan<Name>
  readonly byDefault: ListOrder<Name>
}

/** Selects the part of a list that the span says. */
export async function selectPart<R extends { readonly id: string }, Name extends string = string>(
  db: SqlDatabase,
  query: ListQuery<Name>,
): Promise<ListPart<R>> {
  const { table, orders, span } = query
  const from = typeof query.from === 'string' ? { sql: query.from, params: {} } : query.from
  const { order = query.byDefault, after, limit = Number.MAX_SAFE_INTEGER - 1 } = span
  const value = orders[order.by]
  const [direction, follows] = order.isDescending ? ['DESC', '<'] : ['ASC', '>']
  const selected = where([
    ...query.conditions,
    ...(after
      ? [
          {
            sql: `(${value}, ${table}.id) ${follows} (@after, @afterId)`,
            params: { after: after.value, afterId: after.id },
          },
        ]
      : []),
  ])
  const found = await db.all<R & { readonly position: string | number }>(
    `SELECT ${table}.*, ${value} AS position FROM ${from.sql} ${selected.sql}
     ORDER BY position ${direction}, ${table}.id ${direction} LIMIT @rows`,
    // One more shows that another part follows.
    { ...from.params, ...selected.params, rows: limit + 1 },
  )
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  return { rows, ...(last && found.length > limit && { next: { value: last.position, id: last.id } }) }
}

/** Returns a part of a list with its rows converted. */
export const mapPart = <R, T>({ rows, ...rest }: ListPart<R>, present: (row: R) => T): ListPart<T> => ({
  ...rest,
  rows: rows.map(present),
})
