import { existsSync } from 'node:fs'
import { closeOnError, connect, type Sqlite } from '../connection.ts'
import type { MovedChunk, MovedColumns, MovedKey, MovedSource } from '../migration/moved-rows.ts'
import { controlTables, dataTables, type MovedTable } from '../migration/tables.ts'
import type { SqliteFiles } from './files.ts'
import { countRows, type MovedStores, quote, readRows } from './moved-tables.ts'

/** Number of rows that are read at once. */
const chunkRows = 2000

/** Message of each write to a store whose contents have moved. */
const fenced = 'The data of this folder has moved to a database.'

/** Opens the stores of a data folder, whose schema is the current one. `node` is the id of the folder. */
export function openSqliteSource(files: SqliteFiles, node: string): MovedSource {
  return closeOnError(own => {
    const open = (file: string) => own(connect(file, { timeout: 30_000, fileMustExist: true }))
    const [control, data, lock] = [open(files.control), open(files.data), open(files.data)]
    const downloads = existsSync(files.downloads) ? open(files.downloads) : undefined
    const stores: MovedStores = { control, data, downloads }
    const number = (db: Sqlite, sql: string, ...params: string[]) =>
      db
        .prepare<string[], number>(sql)
        .pluck()
        .get(...params)
    return {
      begin: () => {
        if (data.inTransaction) data.exec('COMMIT')
        const version = data.pragma('data_version', { simple: true })
        data.exec('BEGIN')
        // The first read takes the snapshot.
        return `${version} ${number(data, 'SELECT coalesce(max(seq), 0) FROM changes')}`
      },
      lastSeq: () => number(lock, 'SELECT coalesce(max(seq), 0) FROM changes')!,
      count: table => countRows(stores[table.store], table),
      read: (table, after) => readChunk(stores[table.store], table, after, node),
      lockData: () => {
        if (data.inTransaction) data.exec('COMMIT')
        lock.exec('BEGIN IMMEDIATE')
      },
      lockControl: () => void control.exec('BEGIN IMMEDIATE'),
      identity: () => ({
        storeId: data.prepare<[], string>('SELECT store_id FROM store_identity').pluck().get()!,
        revision: number(control, 'SELECT revision FROM folder_identity') ?? 0,
      }),
      lastNumber: (table, column) =>
        Math.max(
          number(control, `SELECT coalesce(max(${column}), 0) FROM ${table}`)!,
          number(control, 'SELECT seq FROM sqlite_sequence WHERE name = ?', table) ?? 0,
        ),
      fence: () => {
        for (const [db, tables] of [
          [control, controlTables],
          [lock, dataTables],
        ] as const) {
          for (const table of tables) if (isOwn(table)) db.exec(fenceOf(table.name))
          db.exec('COMMIT')
        }
      },
      close: () => {
        for (const db of [control, data, lock, downloads]) db?.close()
      },
    }
  })
}

/** Returns true for a table that SQLite has under the same name. */
const isOwn = ({ store, from }: MovedTable): boolean => store !== 'downloads' && from === undefined

const fenceOf = (table: string): string =>
  ['INSERT', 'UPDATE', 'DELETE']
    .map(
      event =>
        `CREATE TRIGGER IF NOT EXISTS moved_${table}_${event} BEFORE ${event} ON ${quote(table)}
         BEGIN SELECT RAISE(ABORT, '${fenced}'); END;`,
    )
    .join('\n')

/** Returns true if control.sqlite refuses writes because its contents have moved. */
export function isFenced(control: string): boolean {
  const db = connect(control, { timeout: 30_000, fileMustExist: true })
  try {
    return db.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'moved_partners_INSERT'`).get() !== undefined
  } finally {
    db.close()
  }
}

/** Reads the rows of a table that follow a key; a store that does not exist has none. */
function readChunk(db: Sqlite | undefined, table: MovedColumns, after: MovedKey, node: string): MovedChunk {
  if (!db) return { rows: [], end: undefined }
  const { key, all } = table
  const { values, rows } = readRows(db, table, { after, end: undefined }, { node, limit: chunkRows })
  const last = rows.length === chunkRows && key.length > 0 ? values.at(-1)! : undefined
  return { rows, end: last && key.map(column => last[all.indexOf(column)]) }
}
