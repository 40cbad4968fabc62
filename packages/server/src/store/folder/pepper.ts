import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'

/**
 * Returns the secret under which API keys are digested. Its file is created on first use and readable by its owner
 * only. Without it no key of this folder works, so backups include it.
 */
export function loadOrCreatePepper(file: string): KeyObject {
  if (!existsSync(file)) create(file)
  return createSecretKey(Buffer.from(readFileSync(file, 'utf8').trim(), 'hex'))
}

function create(file: string): void {
  try {
    const handle = openSync(file, 'wx', 0o600)
    writeSync(handle, `${randomBytes(32).toString('hex')}\n`)
    fsyncSync(handle)
    closeSync(handle)
  } catch (error) {
    // Another process created it at the same moment.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
