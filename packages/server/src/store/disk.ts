import { accessSync, closeSync, constants, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { findDiskFailure, type StoreFailureKind } from '../domain/store-errors.ts'
import { getFreeBytes } from '../kit/free-space.ts'

/** Descriptors that opening a store requires: the file, its log, its shared memory, and a temporary file. */
const neededDescriptors = 4

/** Free space below which a disk counts as full, in bytes: a log grows in steps of this size. */
const fullBelowBytes = 32_768

/**
 * Finds why a store file cannot be opened or used; undefined if nothing is wrong with its path. Opens no store file:
 * closing it would release the locks of all connections of this process (fcntl(2)).
 */
export function findOpenProblem(file: string): StoreFailureKind | undefined {
  const folder = dirname(file)
  try {
    requireDescriptors(folder)
    accessSync(folder, constants.W_OK)
    const found = statSync(file, { throwIfNoEntry: false })
    if (found?.isDirectory()) return 'damaged'
    if (found) accessSync(file, constants.R_OK | constants.W_OK)
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'missing' : (findDiskFailure(error)?.kind ?? 'io')
  }
}

/** Throws the error of the system if this process cannot open as many files as a store requires. */
function requireDescriptors(folder: string): void {
  const opened: number[] = []
  try {
    for (let i = 0; i < neededDescriptors; i++) opened.push(openSync(folder, 'r'))
  } finally {
    for (const descriptor of opened) closeSync(descriptor)
  }
}

/** Returns false if the disk of a folder is full; true if that cannot be determined. */
export function hasFreeSpace(folder: string): boolean {
  try {
    return getFreeBytes(folder) >= fullBelowBytes
  } catch {
    return true
  }
}

/** Returns the folder of SQLite's temporary files. */
export const temporaryFolder = (): string => process.env.SQLITE_TMPDIR ?? process.env.TMPDIR ?? '/var/tmp'
