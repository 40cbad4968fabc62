import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'

/**
 * Loads the secret of the key digests; creates its file on first use, readable only by the owner. Backups
 * include the file, because no API key of the folder works without it.
 */
export function loadOrCreatePepper(file: string): KeyObject {
  if (!existsSync(file)) createPepper(file)
  return createSecretKey(Buffer.from(readFileSync(file, 'utf8').trim(), 'hex'))
}

function createPepper(file: string): void {
  try {
    const handle = openSync(file, 'wx', 0o600)
    writeSync(handle, `${randomBytes(32).toString('hex')}\n`)
    fsyncSync(handle)
    closeSync(handle)
  } catch (error) {
    // Another process has created it concurrently.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
