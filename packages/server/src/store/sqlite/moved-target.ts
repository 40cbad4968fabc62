import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { closeOnError, connect, type Sqlite } from '../connection.ts'
import type { MovedColumns, MovedIdentity, MovedKey, MovedRow, MovedTarget } from '../migration/moved-rows.ts'
import type { MovedTable } from '../migration/tables.ts'
import { openSqliteFeedDownloads } from './feed-downloads.ts'
import type { SqliteFiles } from './files.ts'
import { inRange, type MovedStores, quote, readRows, sourceOf } from './moved-tables.ts'

/** Statements for the columns of a row of PostgreSQL that other tables have here, by its table. */
const others: Readonly<Record<string, readonly { readonly table: string; readonly insert: string }[]>> = {
  locations: [
    {
      table: 'review_totals',
      insert: 'INSERT INTO review_totals SELECT @id, @updated_ms, @totals WHERE @totals IS NOT NULL',
    },
    { table: 'ranked_locations', insert: "INSERT INTO ranked_locations SELECT @id WHERE @is_ranked = 'true'" },
  ],
}

/** The stores of a new data folder. */
export interface MovedIntoFolder extends MovedTarget {
  /** Flushes everything to disk. */
  flush(): void
}

/** Opens the stores of a new data folder, which the gate has made, to be filled from a database. */
export async function openSqliteTarget(files: SqliteFiles): Promise<MovedIntoFolder> {
  mkdirSync(dirname(files.downloads), { recursive: true, mode: 0o700 })
  await openSqliteFeedDownloads(files.downloads, 0, { onReplaced: () => {} }).close()
  return closeOnError(own => {
    const [control, data, downloads] = [files.control, files.data, files.downloads].map(file =>
      own(connect(file, { timeout: 30_000, fileMustExist: true })),
    ) as [Sqlite, Sqlite, Sqlite]
    const stores: MovedStores = { control, data, downloads }
    // Rows of one table may name rows of another that follow in the same transaction.
    for (const db of [control, data, downloads]) db.pragma('foreign_keys = OFF')
    for (const db of [control, data, downloads]) db.pragma('synchronous = NORMAL')
    const of = (table: MovedTable) => new TargetTable(stores[table.store]!, table)
    return {
      add: (table, rows) => of(table).write(rows, table),
      read: (table, range) => readRows(stores[table.store]!, table, of(table).typed(range), { node: '' }).rows,
      replace: (table, range, rows) => of(table).write(rows, table, range),
      empty: tables => {
        for (const table of tables) stores[table.store]!.exec(`DELETE FROM ${sourceOf(table)}`)
      },
      setIdentity: identity => setIdentity(control, data, identity),
      setLastNumber: (table, _, last) => setLastNumber(control, table, last),
      transaction: async work => {
        control.exec('BEGIN IMMEDIATE')
        try {
          const result = await work()
          control.exec('COMMIT')
          return result
        } catch (error) {
          if (control.inTransaction) control.exec('ROLLBACK')
          throw error
        }
      },
      flush: () => {
        for (const db of [control, data, downloads]) {
          db.pragma('synchronous = FULL')
          db.pragma('wal_checkpoint(TRUNCATE)')
        }
      },
      close: () => {
        for (const db of [control, data, downloads]) db.close()
      },
    }
  })
}

/** Writes the rows of PostgreSQL to a table and to the others that have their columns. */
class TargetTable {
  readonly #db: Sqlite
  readonly #table: MovedTable
  /** Types of the columns that the table has here. */
  readonly #types: ReadonlyMap<string, string>

  constructor(db: Sqlite, table: MovedTable) {
    this.#db = db
    this.#table = table
    const columns = db.prepare<[string], { name: string; type: string }>('SELECT name, type FROM pragma_table_info(?)')
    const found = columns.all(sourceOf(table).replaceAll('"', '')).map(({ name, type }) => [name, type] as const)
    this.#types = new Map([['rowid', 'INTEGER'], ...found])
  }

  /** Returns a range with values of the types of the key. */
  typed({ after, end }: { readonly after: MovedKey; readonly end: MovedKey }) {
    const { key } = this.#table
    const valuesOf = (of: MovedKey) => of?.map((value, i) => this.#value(key[i]!, value as string))
    return { after: valuesOf(after), end: valuesOf(end) }
  }

  /** Adds rows, in the place of those in `range`. */
  write(rows: readonly MovedRow[], { all }: MovedColumns, range?: { after: MovedKey; end: MovedKey }): void {
    const { name, from, store } = this.#table
    // The rows of another table have them, and are moved with it.
    if (from !== undefined && store !== 'downloads') return
    const own = all.filter(column => this.#types.has(column))
    const insert = this.#db.prepare(
      `INSERT OR REPLACE INTO ${sourceOf(this.#table)} (${own.map(quote).join(', ')})
       VALUES (${own.map(column => `@${column}`).join(', ')})`,
    )
    const rest = (others[name] ?? []).map(({ insert: sql }) => this.#db.prepare(sql))
    const work = () => {
      if (range) this.#remove(this.typed(range))
      for (const row of rows) {
        const values = Object.fromEntries(all.map((column, i) => [column, this.#value(column, row[i]!)]))
        insert.run(values)
        for (const statement of rest) statement.run(values)
      }
    }
    if (this.#db.inTransaction) work()
    else this.#db.transaction(work)()
  }

  #remove(range: { after: MovedKey; end: MovedKey }): void {
    const { where, params } = inRange(this.#table, range)
    const named = Object.keys(params).length > 0 ? [params] : []
    this.#db.prepare(`DELETE FROM ${sourceOf(this.#table)} AS t ${where}`).run(...named)
    for (const { table } of others[this.#table.name] ?? []) {
      const ofPlaces = where.replaceAll('t."id"', 't."location_id"')
      this.#db.prepare(`DELETE FROM ${table} AS t ${ofPlaces}`).run(...named)
    }
  }

  /** Returns a value of the type that a column has here. */
  #value(column: string, text: string | null): unknown {
    if (text === null) return null
    const type = this.#types.get(column)
    if (type === 'BLOB') return Buffer.from(text.slice(2), 'hex')
    return type === 'INTEGER' ? BigInt(text) : text
  }
}

function setIdentity(control: Sqlite, data: Sqlite, { storeId, revision }: MovedIdentity): void {
  control.prepare('UPDATE folder_identity SET store_id = ?, revision = ?').run(storeId, revision)
  data.prepare('UPDATE store_identity SET store_id = ?, revision = ?').run(storeId, revision)
}

/** Only tables that never use a number again have one to continue after. */
function setLastNumber(control: Sqlite, table: string, last: number): void {
  const counts = control.prepare("SELECT 1 FROM sqlite_schema WHERE name = ? AND sql LIKE '%AUTOINCREMENT%'")
  if (last === 0 || counts.get(table) === undefined) return
  const changed = control.prepare('UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?').run(last, table)
  if (changed.changes === 0) control.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(table, last)
}
