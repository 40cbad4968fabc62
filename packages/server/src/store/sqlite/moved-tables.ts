import type { Sqlite } from '../connection.ts'
import type { MovedColumns, MovedRange, MovedRow } from '../migration/moved-rows.ts'
import type { MovedStore, MovedTable } from '../migration/tables.ts'

/** Connections to the stores of a data folder; a file of downloads may be missing. */
export type MovedStores = Readonly<Record<MovedStore, Sqlite | undefined>>

export const quote = (name: string): string => `"${name}"`

/** Returns the table of SQLite that has the rows of a table. */
export const sourceOf = ({ from, name }: MovedTable): string => from ?? quote(name)

/** Returns the condition of a range of keys, and its named parameters. */
export function inRange({ key }: MovedTable, { after, end }: MovedRange) {
  const keys = key.map(column => `t.${quote(column)}`).join(', ')
  const bound = (comparison: string, name: string, values: MovedRange['end']) =>
    values === undefined ? [] : [`(${keys}) ${comparison} (${values.map((_, i) => `@${name}${i}`).join(', ')})`]
  const paramsOf = (name: string, values: MovedRange['end'] = []) =>
    Object.fromEntries(values.map((value, i) => [`${name}${i}`, value]))
  const conditions = [...bound('>', 'after', after), ...bound('<=', 'end', end)]
  return {
    keys,
    where: conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`,
    params: { ...paramsOf('after', after), ...paramsOf('end', end) },
  }
}

/** Reads the rows of a range, at most `limit`, in the order of their keys: as values, and as PostgreSQL writes them. */
export function readRows(
  db: Sqlite,
  table: MovedColumns,
  range: MovedRange,
  { node, limit = -1 }: { readonly node: string; readonly limit?: number },
): { readonly values: readonly (readonly unknown[])[]; readonly rows: readonly MovedRow[] } {
  const { key, all, columns = {} } = table
  const expressions = all.map(column => columns[column] ?? `t.${quote(column)}`)
  const { keys, where, params: bounds } = inRange(table, range)
  const order = key.length > 0 ? `ORDER BY ${keys}` : ''
  const sql = `SELECT ${expressions.join(', ')} FROM ${sourceOf(table)} AS t ${where} ${order} LIMIT ${limit}`
  const params = { ...(sql.includes('@node') && { node }), ...bounds }
  const statement = db.prepare<unknown[], unknown[]>(sql).raw().safeIntegers()
  const values = statement.all(...(Object.keys(params).length > 0 ? [params] : [])) as unknown[][]
  return { values, rows: values.map(toTexts) }
}

const toTexts = (row: readonly unknown[]): MovedRow =>
  row.map(value => {
    if (value === null) return null
    return Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : String(value)
  })

/** Returns the number of rows; a store that does not exist has none. */
export const countRows = (db: Sqlite | undefined, table: MovedTable): number =>
  db
    ?.prepare<[], number>(`SELECT count(*) FROM ${sourceOf(table)}`)
    .pluck()
    .get() ?? 0
