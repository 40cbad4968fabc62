import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { nameFile } from '../../kit/name-file.ts'

/**
 * Writes a file that only the owner can read, as a whole or not at all; it is on disk when this returns. The caller
 * excludes other writers of the file.
 */
export function replaceFile(file: string, content: string): void {
  const draft = `${file}.tmp`
  const handle = openSync(draft, 'w', 0o600)
  try {
    nameFile(draft, () => {
      writeSync(handle, content)
      fsyncSync(handle)
    })
  } finally {
    closeSync(handle)
  }
  renameSync(draft, file)
  syncFolder(dirname(file))
}

/** Syncs the names in a folder to disk. */
export function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
