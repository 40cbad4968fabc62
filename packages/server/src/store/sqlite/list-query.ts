import type { ListSpan } from '../../domain/key-stores.ts'
import type { Visibility } from '../../domain/visibility.ts'
import type { Sqlite } from '../connection.ts'

/** A condition of a list and its values. */
export type Condition = readonly [term: string, ...values: unknown[]]

interface ListQuery {
  readonly table: 'keys' | 'partners'
  /** The column with the partner of a row. */
  readonly partnerColumn: string
  readonly visibility: Visibility
  readonly conditions: readonly Condition[]
  readonly span: ListSpan
}

/** Selects the visible rows of a table that meet all conditions, sorted by creation. */
export function selectList<R>(control: Sqlite, query: ListQuery): R[] {
  const { table, partnerColumn, visibility, span } = query
  const { after, limit = -1 } = span
  const conditions: readonly Condition[] = [
    ...('all' in visibility ? [] : [[`${partnerColumn} = ?`, visibility.partnerId] as const]),
    ...query.conditions,
    ...(after ? [['(created_ms, id) > (?, ?)', after.createdMs, after.id] as const] : []),
  ]
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.map(([term]) => term).join(' AND ')}`
  const values = conditions.flatMap(([, ...rest]) => rest)
  return control
    .prepare<unknown[], R>(`SELECT * FROM ${table} ${where} ORDER BY created_ms, id LIMIT ?`)
    .all(...values, limit)
}
