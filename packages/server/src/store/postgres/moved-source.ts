import type { ShippedFile } from '../../domain/node-journals.ts'
import type { SharedIndex } from '../../domain/shared-indexes.ts'
import { StoreError } from '../../domain/store-errors.ts'
import { mergedCopies } from '../migration/merged-ledger.ts'
import type { Held } from '../migration/move.ts'
import type { MovedChunk, MovedColumns, MovedIdentity, MovedKey, MovedSource } from '../migration/moved-rows.ts'
import { controlTables, dataTables, type MovedTable } from '../migration/tables.ts'
import { endNodes, requireEnded } from './end-nodes.ts'
import { createPostgresLocks } from './engine-locks.ts'
import { locks } from './locks.ts'
import { migratePostgres } from './migrate.ts'
import { postgresMigrations } from './migrations/all.ts'
import { columnsOf, namesOf, quote, readRows } from './moved-tables.ts'
import { type HeldSession, PostgresPool, workTimeouts } from './pool.ts'
import { createPostgresIndexes } from './shared-indexes.ts'

/** Number of rows that are read at once. */
const chunkRows = 2000

/** A copy of a journal file in the blobs, and the number that the file gets in the data folder. */
export interface NumberedCopy extends ShippedFile {
  readonly number: number
}

/** The new place of the contents of a database. */
export interface MovedAway {
  /** Id of the move. */
  readonly id: string
  /** The folder, as messages name it. */
  readonly to: string
}

/** A database whose contents move to a data folder. */
export interface MovedFromDatabase extends MovedSource {
  /** Name of the database in messages. */
  readonly name: string
  readonly pepperCheck: string
  /** The new place of the contents; undefined if they have not moved. */
  readonly moved: MovedAway | undefined
  columnsOf(table: MovedTable): Promise<MovedColumns>
  lockImports(): Promise<Held>
  /** Asks all processes to end, waits for them, and excludes others. Throws StoreError with those in the way. */
  endServices(): Promise<Held>
  /** Returns the copies of the journals of all nodes. */
  copies(): Promise<readonly NumberedCopy[]>
  /** Returns the newest search index of a format in the blobs. */
  findIndex(format: number): Promise<SharedIndex | undefined>
  /** Sets what `fence` stores. */
  setMoved(moved: MovedAway): void
}

/** Opens a database whose contents move to a data folder. Throws StoreError if it has none, and NewerSchema. */
export async function openPostgresSource(url: string): Promise<MovedFromDatabase> {
  const planner = { plan_cache_mode: 'force_custom_plan' }
  const pool = new PostgresPool({ url, connections: 10, timeouts: workTimeouts, planner })
  try {
    await migratePostgres(pool, postgresMigrations)
    const [found] = await pool.query<ClusterRow>('SELECT pepper_check, moved_id::text, moved_to FROM cluster')
    if (!found) throw new StoreError(`${pool.name} has no data of Periplus. Set the setting store to another URL.`)
    return new PostgresSource(pool, found, await pool.hold(), await pool.hold())
  } catch (error) {
    await pool.close()
    throw error
  }
}

interface ClusterRow {
  readonly pepper_check: string
  readonly moved_id: string | null
  readonly moved_to: string | null
}

/** Reads records as of one moment on one connection, and holds the locks on another one. */
class PostgresSource implements MovedFromDatabase {
  readonly name: string
  readonly pepperCheck: string
  readonly moved: MovedAway | undefined
  readonly #pool: PostgresPool
  readonly #reading: HeldSession
  readonly #locking: HeldSession
  #next: MovedAway | undefined

  constructor(pool: PostgresPool, cluster: ClusterRow, reading: HeldSession, locking: HeldSession) {
    this.name = pool.name
    this.pepperCheck = cluster.pepper_check
    this.moved = cluster.moved_id === null ? undefined : { id: cluster.moved_id, to: cluster.moved_to! }
    this.#pool = pool
    this.#reading = reading
    this.#locking = locking
  }

  async columnsOf(table: MovedTable): Promise<MovedColumns> {
    const found = await columnsOf(this.#reading, table)
    return { ...found, all: found.all.filter(column => !table.ofDatabase?.includes(column)) }
  }

  async begin(): Promise<string> {
    await this.#reading.exec('ROLLBACK; BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY')
    const ends = "SELECT concat(min(seq), ' ', max(seq)) AS version FROM changes"
    return (await this.#reading.query<{ version: string }>(ends))[0]!.version
  }

  async lastSeq(): Promise<number> {
    const [row] = await this.#pool.query<{ seq: bigint | null }>('SELECT max(seq) AS seq FROM changes')
    return Number(row!.seq ?? 0)
  }

  count({ name, merged }: MovedTable): Promise<number> {
    return this.#number(`SELECT count(*) AS n FROM ${merged ?? quote(name)} AS t`)
  }

  async read(table: MovedColumns, after: MovedKey): Promise<MovedChunk> {
    const { key, all, merged: from } = table
    const rows = await readRows(this.#reading, table, { after, end: undefined }, { from, limit: chunkRows })
    const last = rows.length === chunkRows && key.length > 0 ? rows.at(-1)! : undefined
    return { rows, end: last && key.map(column => last[all.indexOf(column)]) }
  }

  lockImports(): Promise<Held> {
    const message = 'An import is running. Run the command again after it.'
    return createPostgresLocks(this.#pool).hold('import', message)
  }

  async lockData(): Promise<void> {
    await this.#locking.exec('BEGIN')
    // In the order of writers, so that none waits for this transaction while this waits for it.
    await this.#locking.query('SELECT pg_advisory_xact_lock($1)', [locks.data])
    await this.#locking.exec(`LOCK TABLE ${namesOf(dataTables)} IN SHARE MODE`)
  }

  endServices(): Promise<Held> {
    return endNodes(this.#pool)
  }

  async lockControl(): Promise<void> {
    await this.#locking.query('SELECT pg_advisory_xact_lock($1)', [locks.control])
    await this.#locking.exec(`LOCK TABLE ${namesOf(controlTables)}, usage_records, cluster_nodes IN SHARE MODE`)
    await requireEnded(this.#locking)
    await this.begin()
  }

  async identity(): Promise<MovedIdentity> {
    const found = 'SELECT store_id AS id, revision FROM store_identity'
    const [row] = await this.#reading.query<{ id: string; revision: bigint }>(found)
    return { storeId: row!.id, revision: Number(row!.revision) }
  }

  lastNumber(table: string, column: string): Promise<number> {
    const last = 'SELECT pg_sequence_last_value(pg_get_serial_sequence($1, $2)::regclass) AS n'
    return this.#number(last, [table, column])
  }

  async copies(): Promise<readonly NumberedCopy[]> {
    const rows = await this.#pool.query<CopyRow>(mergedCopies)
    return rows.map(row => ({ ...row, number: Number(row.number), file: Number(row.file), bytes: Number(row.bytes) }))
  }

  findIndex(format: number): Promise<SharedIndex | undefined> {
    return createPostgresIndexes(this.#pool).newest(format)
  }

  setMoved(moved: MovedAway): void {
    this.#next = moved
  }

  async fence(): Promise<void> {
    const { id, to } = this.#next!
    await this.#locking.run('UPDATE cluster SET moved_id = $1, moved_to = $2', [id, to])
    for (const { name } of [...dataTables, ...controlTables])
      await this.#locking.exec(`CREATE TRIGGER moved BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON ${quote(name)}
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_writes()`)
    await this.#locking.exec('COMMIT')
  }

  async close(): Promise<void> {
    for (const session of [this.#reading, this.#locking]) {
      await session.exec('ROLLBACK').catch(() => {})
      session.release()
    }
    await this.#pool.close()
  }

  async #number(sql: string, values: readonly unknown[] = []): Promise<number> {
    return Number((await this.#reading.query<{ n: bigint | null }>(sql, values))[0]!.n ?? 0)
  }
}

interface CopyRow extends Pick<ShippedFile, 'node' | 'sha256'> {
  readonly number: bigint
  readonly file: bigint
  readonly bytes: bigint
}
