import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { NewerSchema } from '../../domain/store-errors.ts'
import type { Sqlite } from '../connection.ts'

/**
 * SQL that upgrades a store file from one schema version to the next; its position in the list, from 1, is the new
 * version.
 */
export type Migration = string

/**
 * Runs the pending migrations of `file` in one transaction, after copying it to `control.sqlite.schema-1.bak`. Throws
 * NewerSchema, and changes nothing, if a newer release wrote the file.
 */
export function migrate(db: Sqlite, file: string, migrations: readonly Migration[]): void {
  const version = () => db.pragma('user_version', { simple: true }) as number
  if (version() > migrations.length) throw new NewerSchema(basename(file), version(), migrations.length)
  if (version() === migrations.length) return
  if (version() > 0) backUp(db, `${file}.schema-${version()}.bak`)
  db.transaction(() => {
    // Another process may have migrated the file concurrently: read the version again under the write lock.
    for (let at = version(); at < migrations.length; at++) db.exec(migrations[at]!)
    db.pragma(`user_version = ${migrations.length}`)
  }).immediate()
}

function backUp(db: Sqlite, target: string): void {
  if (!existsSync(target)) db.prepare('VACUUM INTO ?').run(target)
}
