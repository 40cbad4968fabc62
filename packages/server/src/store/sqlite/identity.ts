import { existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { v7 as uuidv7 } from 'uuid'
import type { FolderDefectKind } from '../../domain/data-folder.ts'
import { type Id, maxAssignedId } from '../../domain/id.ts'
import type { RecordKind } from '../../domain/record-write.ts'
import { NewerSchema, StoreFailure } from '../../domain/store-errors.ts'
import type { Sqlite } from '../connection.ts'
import { connect } from '../connection.ts'
import type { ControlReading, DataReading, FolderIdentity, IdentityStores } from '../folder/identity.ts'
import { locateLayout } from '../folder/layout.ts'
import { kindNumber } from '../rows/codes.ts'
import { noSource } from '../rows/id-rules.ts'
import { getSqliteFiles, storeNames } from './files.ts'
import type { Migration } from './migrate.ts'
import { controlMigrations } from './migrations/control.ts'
import { dataMigrations } from './migrations/data.ts'
import { openSqlite } from './open.ts'

interface IdentityRow {
  readonly folder_id: string
  readonly generation: string | null
  readonly store_id: string | null
  readonly pepper_check: string | null
  readonly has_journal: 0 | 1
  /** Undefined in a store that has not been upgraded. */
  readonly revision?: number
}

/** Returns the stores of a data folder as the gate sees them. Every reading opens and closes its own connection. */
export function createSqliteIdentities(root: string): IdentityStores {
  const filesOf = (generation: string) => getSqliteFiles(locateLayout(root, generation))
  const { control: controlFile } = filesOf('')
  /** The connection of the running `updateIdentity`. */
  let updated: Sqlite | undefined
  return {
    fileOf: (store, generation) => (store === 'control' ? storeNames.control : `data/${generation}/${storeNames.data}`),
    readControl: () => {
      // Read before the store, which another process may be creating: a store exists before its log.
      const hasLog = existsSync(`${controlFile}-wal`)
      const found = inspectStore(controlFile, controlMigrations, readControl)
      const isNew = !hasLog || (found.state === 'empty' && statSync(controlFile).size > 0)
      return found.state === 'empty' || found.state === 'missing' ? { ...found, isNew } : found
    },
    readData: generation => inspectStore(filesOf(generation).data, dataMigrations, readData),
    claimControl: folderId => {
      const db = createStore(controlFile, controlMigrations)
      try {
        db.prepare(
          'INSERT INTO folder_identity (folder_id) SELECT ? WHERE NOT EXISTS (SELECT 1 FROM folder_identity)',
        ).run(folderId)
      } finally {
        db.close()
      }
    },
    updateIdentity: work => {
      const db = openSqlite(controlFile, controlMigrations, { synchronous: 'FULL' })
      updated = db
      try {
        return db
          .transaction(() => {
            const next = work(readIdentity(db)!)
            writeIdentity(db, next)
            return next
          })
          .immediate()
      } finally {
        updated = undefined
        db.close()
      }
    },
    claimData: (generation, folderId) => claimData(filesOf(generation).data, folderId, updated!),
    dropJournalFiles: () => void updated!.prepare(`UPDATE usage_files SET state = 'dropped'`).run(),
    moveAway: (store, generation, suffix) => moveStoreAway(filesOf(generation)[store], suffix),
  }
}

/**
 * Opens a store file without changing it, and reads it. SQLite alone opens it: closing any other descriptor would
 * release the locks of all connections of this process (fcntl(2)).
 */
function inspectStore<T>(
  file: string,
  migrations: readonly Migration[],
  read: (db: Sqlite, schema: number) => T | { readonly state: FolderDefectKind },
): T | { readonly state: FolderDefectKind } {
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found) return { state: 'missing' }
  if (!found.isFile()) return { state: 'damaged' }
  // Not opened with SQLite, which would delete the write-ahead log of an empty file.
  if (found.size === 0) return { state: 'empty' }
  let db: Sqlite | undefined
  try {
    db = connect(file, { timeout: 30_000, fileMustExist: true })
    const schema = db.pragma('user_version', { simple: true }) as number
    if (schema > migrations.length) throw new NewerSchema(basename(file), schema, migrations.length)
    return hasTable(db) ? read(db, schema) : { state: 'empty' }
  } catch (error) {
    if (error instanceof StoreFailure && error.kind === 'damaged') return { state: 'damaged' }
    throw error
  } finally {
    db?.close()
  }
}

/** Returns true if the store has a table, or this table. */
const hasTable = (db: Sqlite, name?: string): boolean =>
  db.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = coalesce(?, name)`).get(name ?? null) !==
  undefined

function readControl(db: Sqlite): ControlReading {
  if (!hasTable(db, 'record_ids')) return { state: 'foreign' }
  const hasRows = (table: string) => hasTable(db, table) && db.prepare(`SELECT 1 FROM ${table}`).get() !== undefined
  return {
    state: 'intact',
    identity: hasTable(db, 'folder_identity') ? readIdentity(db) : undefined,
    contents: {
      ids: hasRows('record_ids'),
      digests: hasRows('key_secrets') || hasRows('erasures'),
      usage: hasRows('usage_slots'),
    },
    revision: (hasTable(db, 'folder_identity') ? readIdentityRow(db)?.revision : undefined) ?? 0,
  }
}

function readData(db: Sqlite): DataReading {
  if (!hasTable(db, 'locations')) return { state: 'foreign' }
  const found = hasTable(db, 'store_identity') ? readStoreIdentity(db) : undefined
  const { folder_id: folderId, store_id: storeId, revision: controlRevision = 0 } = found ?? {}
  return { state: 'intact', folderId, storeId, controlRevision }
}

const readIdentityRow = (db: Sqlite): IdentityRow | undefined =>
  db.prepare<[], IdentityRow>('SELECT * FROM folder_identity').get()

function readIdentity(db: Sqlite): FolderIdentity | undefined {
  const row = readIdentityRow(db)
  return (
    row && {
      folderId: row.folder_id,
      generation: row.generation ?? undefined,
      storeId: row.store_id ?? undefined,
      pepperCheck: row.pepper_check ?? undefined,
      hasJournal: row.has_journal === 1,
    }
  )
}

function writeIdentity(db: Sqlite, identity: FolderIdentity): void {
  const { folderId, generation = null, storeId = null, pepperCheck = null, hasJournal } = identity
  db.prepare(
    'UPDATE folder_identity SET folder_id = ?, generation = ?, store_id = ?, pepper_check = ?, has_journal = ?',
  ).run(folderId, generation, storeId, pepperCheck, hasJournal ? 1 : 0)
}

interface StoreIdentityRow {
  readonly folder_id: string
  readonly store_id: string
  /** Undefined in a store that has not been upgraded. */
  readonly revision?: number
}

const readStoreIdentity = (db: Sqlite): StoreIdentityRow | undefined =>
  db.prepare<[], StoreIdentityRow>('SELECT * FROM store_identity').get()

/** Opens a store for its first use or its upgrade. */
const createStore = (file: string, migrations: readonly Migration[]): Sqlite =>
  openSqlite(file, migrations, { create: true, synchronous: 'FULL' })

/** Implements `IdentityStores.claimData`. */
function claimData(file: string, folderId: string, control: Sqlite): string {
  // The log of a store that is gone must not be applied to the new one.
  if (!existsSync(file)) for (const log of ['-wal', '-shm']) rmSync(`${file}${log}`, { force: true })
  const db = createStore(file, dataMigrations)
  try {
    db.prepare(
      'INSERT INTO store_identity (folder_id, store_id) SELECT ?, ? WHERE NOT EXISTS (SELECT 1 FROM store_identity)',
    ).run(folderId, uuidv7())
    if (control.prepare('SELECT 1 FROM record_ids').get() === undefined) registerIds(db, control)
    const { store_id: storeId, revision } = readStoreIdentity(db)!
    control.prepare('UPDATE folder_identity SET revision = max(revision, ?)').run(revision)
    return storeId
  } finally {
    db.close()
  }
}

/** The ids that a data store uses; a merged place has no record. */
const usedIds: Readonly<Record<RecordKind, string>> = {
  location: 'SELECT id, source FROM locations UNION ALL SELECT from_id, NULL FROM merges',
  review: 'SELECT id, NULL AS source FROM reviews UNION ALL SELECT id, NULL FROM hidden_reviews',
}

/**
 * Registers the ids of the records of `data` in a control store that was lost, as ids without a source_id, so that no
 * other record gets them. A full sync of the source of a place can still remove it.
 */
function registerIds(data: Sqlite, control: Sqlite): void {
  const sourceNo = createSourceNumbers(control)
  const insert = control.prepare(
    'INSERT INTO record_ids (kind, source_no, source_id, id, brought_by) VALUES (?, ?, ?, ?, ?)',
  )
  const setNext = control.prepare('UPDATE id_counters SET next_id = max(next_id, ?) WHERE kind = ?')
  for (const kind of ['location', 'review'] as const) {
    const rows = data.prepare<[], { id: Id; source: string | null }>(usedIds[kind]).safeIntegers()
    let next = 1n
    for (const { id, source } of rows.iterate()) {
      insert.run(kindNumber[kind], sourceNo(noSource), String(id), id, source === null ? null : sourceNo(source))
      if (id >= next && id < maxAssignedId) next = id + 1n
    }
    setNext.run(next, kindNumber[kind])
  }
}

function createSourceNumbers(control: Sqlite): (source: string) => number {
  const numbers = new Map<string, number>()
  const add = control.prepare('INSERT INTO sources (name) VALUES (?)')
  return source => {
    const known = numbers.get(source) ?? Number(add.run(source).lastInsertRowid)
    numbers.set(source, known)
    return known
  }
}

/**
 * Implements `IdentityStores.moveAway`. The log keeps the name of its store, so that the two can be opened together.
 */
function moveStoreAway(file: string, suffix: string): void {
  if (existsSync(file)) renameSync(file, `${file}${suffix}`)
  if (existsSync(`${file}-wal`)) renameSync(`${file}-wal`, `${file}${suffix}-wal`)
  rmSync(`${file}-shm`, { force: true })
}
