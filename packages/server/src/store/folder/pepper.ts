import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import type { FolderDefectKind } from '../../domain/data-folder.ts'
import { UnusableDataFolder } from '../../domain/store-errors.ts'
import { replaceFile } from '../../kit/replace-file.ts'
import type { Layout } from './layout.ts'

/** Size of the secret, in bytes. */
const pepperBytes = 32

/** The secret and its check value, or why the file has none. */
export type PepperReading =
  | { readonly state: 'intact'; readonly secret: KeyObject; readonly check: string }
  | { readonly state: FolderDefectKind }

/** Reads the secret of the key digests. */
export function readPepper(file: string): PepperReading {
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found) return { state: 'missing' }
  if (!found.isFile()) return { state: 'damaged' }
  if (found.size === 0) return { state: 'empty' }
  const text = readFileSync(file, 'utf8').trim()
  if (text.length !== 2 * pepperBytes || !/^[0-9a-f]*$/.test(text)) return { state: 'damaged' }
  const secret = createSecretKey(Buffer.from(text, 'hex'))
  return { state: 'intact', secret, check: createHmac('sha256', secret).update('periplus pepper').digest('hex') }
}

/** Creates another secret. Backups include the file, because no API key of the folder works without it. */
export const createPepper = (file: string): void => replaceFile(file, `${randomBytes(pepperBytes).toString('hex')}\n`)

/** Loads the secret of a data folder that the gate has admitted (gate.ts). */
export function loadPepper({ root, pepper: file }: Pick<Layout, 'root' | 'pepper'>): KeyObject {
  const pepper = readPepper(file)
  if (pepper.state === 'intact') return pepper.secret
  throw new UnusableDataFolder(root, [{ part: 'pepper', file: 'pepper', kind: pepper.state }])
}
