import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { addPathToErrors } from './error-path.ts'

/**
 * Replaces a file, or creates it; only its owner can read it. It is on disk when this returns. Readers see the previous
 * contents or the new ones. The caller excludes other writers of the file.
 */
export function replaceFile(path: string, contents: Buffer | string): void {
  const draft = `${path}.tmp`
  const file = openSync(draft, 'w', 0o600)
  try {
    addPathToErrors(draft, () => {
      writeFileSync(file, contents)
      fsyncSync(file)
    })
  } finally {
    closeSync(file)
  }
  renameSync(draft, path)
  syncFolder(dirname(path))
}

/** Syncs the names in a folder to disk. Windows neither supports nor requires it. */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
