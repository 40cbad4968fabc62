import { LRUCache } from 'lru-cache'
import type { PreparedStatement, Sqlite } from '../connection.ts'
import { createDatabase, type SqlDatabase, type SqlStatement, type SqlWork } from '../sql/database.ts'

/** Number of prepared statements that a connection keeps. Texts differ by the conditions of lists. */
const keptStatements = 500

/** Runs work on a connection in this turn. Stores of SQLite call it in their transactions. */
export type Perform = <T>(work: SqlWork<T>) => T

const performers = new WeakMap<Sqlite, Perform>()

/** Returns the function that runs work on a connection. */
export function performOn(db: Sqlite): Perform {
  const known = performers.get(db)
  if (known) return known
  const statements = new LRUCache<string, PreparedStatement>({ max: keptStatements })
  const prepare = (text: string): PreparedStatement => {
    const prepared = statements.get(text) ?? db.prepare(text)
    statements.set(text, prepared)
    return prepared
  }
  const step = ({ text, params, result }: SqlStatement): unknown => {
    const statement = prepare(text)
    if (result === 'row') return statement.get(params)
    return result === 'rows' ? statement.all(params) : statement.run(params).changes
  }
  const perform: Perform = work => {
    let next = work.next()
    while (!next.done) next = work.next(step(next.value))
    return next.value
  }
  performers.set(db, perform)
  return perform
}

/** Opens control.sqlite as the database of the control data. */
export function createSqliteDatabase(control: Sqlite): SqlDatabase {
  // SQLite's LOWER converts only ASCII letters.
  control.function('contains_text', { deterministic: true }, (text: unknown, sought: unknown) =>
    Number(String(text).toLowerCase().includes(String(sought))),
  )
  const perform = performOn(control)
  const change = control.transaction((work: () => SqlWork<unknown>) => perform(work())).immediate
  return createDatabase({
    perform: async work => perform(work),
    transaction: async <T>(work: () => SqlWork<T>) => change(work) as T,
    parseJson: <T>(text: string) => control.parseJson<T>(text),
  })
}
