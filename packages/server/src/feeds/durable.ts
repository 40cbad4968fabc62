import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { nameFile } from '../kit/name-file.ts'

/** Replaces a file atomically and syncs it to disk. Concurrent readers see the previous content or the new one. */
export function writeDurably(path: string, bytes: Buffer | string): void {
  const temporary = `${path}.tmp`
  const file = openSync(temporary, 'w')
  try {
    nameFile(temporary, () => {
      writeFileSync(file, bytes)
      fsyncSync(file)
    })
  } finally {
    closeSync(file)
  }
  renameSync(temporary, path)
  syncFolder(dirname(path))
}

/** Syncs the entries of a folder to disk. */
export function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
