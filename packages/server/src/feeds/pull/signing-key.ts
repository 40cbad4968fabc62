import { createPublicKey, type KeyObject } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from '../../kit/replace-file.ts'
import { computeKeyId } from '../manifest.ts'
import type { FeedClient } from './client.ts'
import { Mismatch, PullFailed } from './outcome.ts'

/**
 * Loads the trusted public key: the given key (PEM), else the key that the first pull stored in DIR, else the key that
 * the service publishes, which is then stored. Throws Mismatch if the service signs with another key.
 */
export async function loadTrustedKey(client: FeedClient, into: string, given: string | undefined): Promise<KeyObject> {
  const file = join(into, 'public-key.pem')
  const stored = given ?? (existsSync(file) ? readFileSync(file, 'utf8') : undefined)
  const served = parsePublicKey((await client.read('feeds/public-key.pem')).toString())
  if (!served) throw new PullFailed(`${client.url}feeds/public-key.pem is not an Ed25519 public key in PEM.`)
  const trusted = stored === undefined ? served : parsePublicKey(stored)
  if (!trusted)
    throw new PullFailed(
      `${file} is not an Ed25519 public key in PEM. Restore it, or remove it to trust the key of the service again.`,
    )
  if (!trusted.equals(served)) {
    const origin = given === undefined ? `${file}, stored by the first pull` : 'the one passed with --public-key'
    throw new Mismatch(
      `The service signs with the key ${computeKeyId(served)} instead of ${computeKeyId(trusted)} (${origin}). Ask its operator. ` +
        `If the change was intended, ${given === undefined ? 'delete that file, or ' : ''}pass the new key with --public-key.`,
    )
  }
  if (given !== undefined || stored === undefined) replaceFile(file, toPem(trusted))
  return trusted
}

/** Parses an Ed25519 public key in PEM (SPKI); undefined for other text. */
export function parsePublicKey(pem: string): KeyObject | undefined {
  if (pem.includes('PRIVATE KEY')) return undefined
  try {
    const key = createPublicKey(pem)
    return key.asymmetricKeyType === 'ed25519' ? key : undefined
  } catch {
    return undefined
  }
}

const toPem = (key: KeyObject): string => key.export({ type: 'spki', format: 'pem' }).toString()
