import type { PreparedStatement, Sqlite } from './connection.ts'

/** Number of statements that a cache keeps. */
const maxStatements = 100

/** Returns the statement of a text, prepared. */
export type Prepare = <P extends unknown[], R>(sql: string) => PreparedStatement<P, R>

/** Returns a function that prepares each text once: for statements whose text depends on a query. */
export function cacheStatements(db: Sqlite): Prepare {
  const kept = new Map<string, PreparedStatement>()
  return <P extends unknown[], R>(sql: string) => {
    const known = kept.get(sql)
    if (known) return known as PreparedStatement<P, R>
    if (kept.size >= maxStatements) kept.clear()
    const statement = db.prepare<P, R>(sql)
    kept.set(sql, statement as PreparedStatement)
    return statement
  }
}
