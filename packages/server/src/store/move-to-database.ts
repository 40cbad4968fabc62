import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { StoreError } from '../domain/store-errors.ts'
import { openEngine } from './engine.ts'
import { firstGeneration, openLayout as locateCurrent, locateLayout } from './folder/layout.ts'
import {
  type CompleteIdentity,
  lockMigration,
  type Moved,
  readMoved,
  withdrawMoved,
  writeMoved,
} from './folder/moved.ts'
import { endService } from './migration/end-service.ts'
import { finishMove } from './migration/folder-move.ts'
import { type MoveListener, moveStores } from './migration/move.ts'
import type { MovedProof } from './migration/moved-rows.ts'
import { openFilledTarget, openPostgresTarget } from './postgres/moved-target.ts'
import { getSqliteFiles } from './sqlite/files.ts'
import { createSqliteIdentities } from './sqlite/identity.ts'
import { isFenced, openSqliteSource } from './sqlite/moved-source.ts'

/**
 * Moves the contents of a data folder to a PostgreSQL database, while a service and imports may run, and makes the
 * folder that of the first node; a move that was interrupted after the copy is completed. Returns what both sides have;
 * undefined if the copy had ended before. Throws the errors of openFolder, and StoreError if the database is in use.
 */
export async function moveFolder(
  folder: string,
  url: string,
  listener: MoveListener,
): Promise<readonly MovedProof[] | undefined> {
  const to = withoutPassword(url)
  const lock = existsSync(folder) ? lockMigration(folder) : undefined
  try {
    const before = findMove(folder)
    if (before !== undefined && before.to !== to)
      throw new StoreError(`The data of ${folder} has moved to ${before.to}. Complete the move with that URL.`)
    const proofs = before ? undefined : await copyFolder(folder, url, to, listener)
    const target = await openFilledTarget(url)
    try {
      await finishMove(folder, readMoved(folder)!, target, createSqliteIdentities(folder))
    } finally {
      await target.close()
    }
    return proofs
  } finally {
    lock?.release()
  }
}

/** Returns true if the contents of a folder have moved to a database, or are about to. */
export const hasMoved = (folder: string): boolean => readMoved(folder) !== undefined

/** Returns the new place of the contents of a folder; withdraws a move that was interrupted before it was final. */
function findMove(folder: string): Moved | undefined {
  const moved = readMoved(folder)
  const { control } = getSqliteFiles(locateLayout(folder, firstGeneration))
  if (moved === undefined || !existsSync(control) || isFenced(control)) return moved
  withdrawMoved(folder)
  return undefined
}

/** Copies the contents of a data folder to a database, and stores that they have moved. */
async function copyFolder(folder: string, url: string, to: string, listener: MoveListener) {
  const engine = openEngine({ kind: 'sqlite', folder }, { create: false })
  try {
    await engine.prepare()
    const layout = locateCurrent(folder)
    const identity = readIdentity(folder)
    const target = await openPostgresTarget(url, identity.folderId)
    try {
      const source = openSqliteSource(getSqliteFiles(layout), identity.folderId)
      try {
        const mark = () => {
          writeMoved(folder, { to, database: randomUUID(), folder: identity })
          return { withdraw: () => withdrawMoved(folder) }
        }
        const { locks } = engine
        return await moveStores({
          source,
          target,
          columnsOf: table => target.columnsOf(table),
          lockImports: () => locks.hold('import', `An import is running on ${folder}. Run the command again after it.`),
          endServices: () => endService(folder, locks),
          mark,
          ...listener,
        })
      } finally {
        source.close()
      }
    } finally {
      await target.close()
    }
  } finally {
    await engine.close()
  }
}

/** Returns the identity of a folder that the gate has admitted. */
function readIdentity(folder: string): CompleteIdentity {
  const control = createSqliteIdentities(folder).readControl()
  return (control.state === 'intact' ? control.identity : undefined) as CompleteIdentity
}

/** Returns a URL without its password. */
export function withoutPassword(url: string): string {
  const copy = new URL(url)
  copy.password = ''
  return copy.href
}
