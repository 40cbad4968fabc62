import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { StoreError } from '../../domain/store-errors.ts'
import { replaceFile } from '../../kit/replace-file.ts'
import type { FolderIdentity } from './identity.ts'
import { type HeldLock, holdLock, isLockHeld } from './lock.ts'

/** The identity of a folder that has all parts. */
export type CompleteIdentity = { readonly [Name in keyof FolderIdentity]: NonNullable<FolderIdentity[Name]> }

/** The new place of the stores of a folder. */
export interface Moved {
  /** URL of the database, without a password. */
  readonly to: string
  /** Id that the database gets. */
  readonly database: string
  /** The folder, which becomes that of a node. */
  readonly folder: CompleteIdentity
}

const movedFile = (root: string): string => join(root, 'MOVED')
const movingFile = (root: string): string => join(root, 'MOVING')
const lockFile = (root: string): string => join(root, 'migrate-lock.sqlite')

/** Returns where the stores of a folder have moved to; undefined if they have not. */
export const readMoved = (root: string): Moved | undefined =>
  existsSync(movedFile(root)) ? (JSON.parse(readFileSync(movedFile(root), 'utf8')) as Moved) : undefined

/** Stores where the stores of a folder have moved to: nothing opens them afterwards. */
export const writeMoved = (root: string, moved: Moved): void =>
  replaceFile(movedFile(root), `${JSON.stringify(moved, undefined, 2)}\n`)

/** Removes what `writeMoved` has stored. */
export const withdrawMoved = (root: string): void => rmSync(movedFile(root), { force: true })

/** Takes the lock of the process that moves the stores of a folder. Throws LockHeld. */
export const lockMigration = (root: string): HeldLock =>
  holdLock(lockFile(root), `Another process is moving the data of ${root}. Wait until it has ended.`)

/** Asks the process that serves a folder to end. */
export const requestEnd = (root: string): void => replaceFile(movingFile(root), '')

/** Withdraws the request. */
export const withdrawRequest = (root: string): void => rmSync(movingFile(root), { force: true })

/** Returns true while a process asks for the end of the service. */
export const isEndRequested = (root: string): boolean => existsSync(movingFile(root))

/** Throws StoreError while the stores of a folder are being moved; removes the request of a process that is gone. */
export function requireUnmoving(root: string): void {
  if (!isEndRequested(root)) return
  if (isLockHeld(lockFile(root)))
    throw new StoreError(`The data of ${root} is being moved to a database. Wait until that has ended.`)
  withdrawRequest(root)
}

/** Throws StoreError if the stores of a folder have moved. */
export function requireUnmoved(root: string): void {
  const moved = readMoved(root)
  if (moved) throw new StoreError(`The data of ${root} has moved to ${moved.to}. Set the setting store to that URL.`)
}
