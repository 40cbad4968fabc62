import type { MovedColumns, MovedKey, MovedRange, MovedRow } from '../migration/moved-rows.ts'
import type { MovedTable } from '../migration/tables.ts'
import type { PostgresSession } from './pool.ts'

export const quote = (name: string): string => `"${name}"`

/** Returns the names of tables for a statement. */
export const namesOf = (tables: readonly MovedTable[]): string => tables.map(({ name }) => quote(name)).join(', ')

/** Adds the columns that a table has in the database. */
export async function columnsOf(session: PostgresSession, table: MovedTable): Promise<MovedColumns> {
  const rows = await session.query<{ name: string }>(
    `SELECT attname::text AS name FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    [quote(table.name)],
  )
  return { ...table, all: rows.map(row => row.name) }
}

/** Reads the rows of a range in the order of their keys, at most `limit`. `from` takes the place of the table. */
export async function readRows(
  session: PostgresSession,
  table: MovedColumns,
  range: MovedRange,
  { from = quote(table.name), limit }: { readonly from?: string | undefined; readonly limit?: number } = {},
): Promise<MovedRow[]> {
  const { text, values } = inRange(table, range)
  const columns = table.all.map(column => `t.${quote(column)}::text AS ${quote(column)}`)
  const order = table.key.length > 0 ? `ORDER BY ${keyOf(table)}` : ''
  const end = limit === undefined ? '' : `LIMIT ${limit}`
  const rows = await session.query<Record<string, string | null>>(
    `SELECT ${columns.join(', ')} FROM ${from} AS t ${text} ${order} ${end}`,
    values,
  )
  return rows.map(row => table.all.map(column => row[column]!))
}

const keyOf = ({ key }: MovedTable): string => key.map(column => `t.${quote(column)}`).join(', ')

/** Returns the condition of a range, and its values. */
export function inRange(table: MovedColumns, { after, end }: MovedRange): { text: string; values: unknown[] } {
  const values: unknown[] = []
  const bound = (comparison: string, key: MovedKey): string[] => {
    if (key === undefined) return []
    const places = key.map(value => `$${values.push(value)}`)
    return [`(${keyOf(table)}) ${comparison} (${places.join(', ')})`]
  }
  const conditions = [...bound('>', after), ...bound('<=', end)]
  return { text: conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`, values }
}
