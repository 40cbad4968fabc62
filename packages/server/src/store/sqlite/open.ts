import { StoreFailure } from '../../domain/store-errors.ts'
import type { Sqlite } from '../connection.ts'
import { type ConnectionOptions, connect } from '../connection.ts'
import type { Migration } from './migrate.ts'
import { migrate } from './migrate.ts'

export interface OpenOptions extends Pick<ConnectionOptions, 'onFailure'> {
  /**
   * Creates a missing file. Only the gate does that (identity.ts): a missing store is never replaced by an empty one.
   */
  readonly create?: boolean
  readonly readonly?: boolean
  /**
   * FULL: a commit is on disk when it returns. NORMAL: commits survive kill -9, but the last ones may be lost on power
   * loss.
   */
  readonly synchronous: 'FULL' | 'NORMAL'
  readonly cacheMb?: number
  /** Size of the write-ahead log at which SQLite checkpoints it, in megabytes. */
  readonly logMb?: number
  /** True to read the file through a memory map, which saves a system call per page. */
  readonly mapped?: boolean
}

/** Maximum part of a file that SQLite maps into memory, in bytes. */
const maxMappedBytes = 2 ** 31 - 65_536

const pageBytes = 4096
/** Size to which a write-ahead log is truncated after a long reader has let it grow, in bytes. */
const maxIdleLogBytes = 256 * 1024 * 1024

/** Opens a store file in WAL mode and migrates it to the newest schema. */
export function openSqlite(file: string, migrations: readonly Migration[], options: OpenOptions): Sqlite {
  const db = connect(file, { timeout: 30_000, fileMustExist: options.create !== true, onFailure: options.onFailure })
  try {
    db.pragma('journal_mode = WAL')
    db.pragma(`synchronous = ${options.synchronous}`)
    db.pragma(`cache_size = ${-1024 * (options.cacheMb ?? 16)}`)
    db.pragma('temp_store = FILE')
    // Overwrite deleted and replaced content with zeros.
    db.pragma('secure_delete = ON')
    if (options.logMb !== undefined) db.pragma(`wal_autocheckpoint = ${(options.logMb * 1024 * 1024) / pageBytes}`)
    db.pragma(`journal_size_limit = ${maxIdleLogBytes}`)
    if (options.mapped) db.pragma(`mmap_size = ${maxMappedBytes}`)
    migrate(db, file, migrations)
    if (options.readonly) db.pragma('query_only = ON')
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** Copies a database into memory and closes the original; the copy disappears when it is closed. */
export function copyAndClose(db: Sqlite): Sqlite {
  const bytes = db.serialize()
  db.close()
  // Read and write version 1, rollback journal: a database in memory cannot be in WAL mode (SQLite file format §1.3.3).
  bytes.fill(1, 18, 20)
  return connect(bytes)
}

/** Runs `work` with a different lock timeout; returns undefined if the store stays locked for that long. */
export function withBusyTimeout<T>(db: Sqlite, waitMs: number, work: () => T): T | undefined {
  const before = db.pragma('busy_timeout', { simple: true }) as number
  db.pragma(`busy_timeout = ${waitMs}`)
  try {
    return work()
  } catch (error) {
    if (error instanceof StoreFailure && error.kind === 'busy') return undefined
    throw error
  } finally {
    db.pragma(`busy_timeout = ${before}`)
  }
}
