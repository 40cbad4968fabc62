import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Puts a file in place whole, on disk when it returns; whoever reads it meanwhile sees the one before, or none. */
export function writeDurably(path: string, bytes: Buffer | string): void {
  const aside = `${path}.tmp`
  const file = openSync(aside, 'w')
  try {
    writeFileSync(file, bytes)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(aside, path)
  syncFolder(dirname(path))
}

/** Makes sure that the names in a folder are on disk. */
export function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
