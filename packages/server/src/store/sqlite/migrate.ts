import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import type { Sqlite } from './open.ts'

/** SQL that takes a store file from one schema version to the next; its place in the list is the version. */
export type Migration = string

/** The file was written by a newer Periplus. */
export class NewerSchema extends Error {
  constructor(file: string, found: number, known: number) {
    super(
      `${basename(file)} has schema version ${found}, and this Periplus knows versions up to ${known}: ` +
        'it was written by a newer release. Run that release, or restore a backup made by this one.',
    )
  }
}

/**
 * Runs the migrations that `file` has not had, in one transaction, after a copy of it was put beside it
 * (`control.sqlite.schema-1.bak`). A file from a newer release is left alone: NewerSchema.
 */
export function migrate(db: Sqlite, file: string, migrations: readonly Migration[]): void {
  const version = () => db.pragma('user_version', { simple: true }) as number
  if (version() > migrations.length) throw new NewerSchema(file, version(), migrations.length)
  if (version() === migrations.length) return
  if (version() > 0) backUp(db, `${file}.schema-${version()}.bak`)
  db.transaction(() => {
    // Another process may have been faster: look again under the write lock.
    for (let at = version(); at < migrations.length; at++) db.exec(migrations[at]!)
    db.pragma(`user_version = ${migrations.length}`)
  }).immediate()
}

function backUp(db: Sqlite, target: string): void {
  if (!existsSync(target)) db.prepare('VACUUM INTO ?').run(target)
}
