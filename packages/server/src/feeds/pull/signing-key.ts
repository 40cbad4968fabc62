import { createPublicKey, type KeyObject } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { keyIdOf } from '../manifest.ts'
import type { FeedClient } from './client.ts'
import { Mismatch, PullFailed } from './outcome.ts'
import { writeWhole } from './result-state.ts'

/**
 * The key whose signatures count: the one that was brought (PEM), else the one that DIR has kept since the first pull,
 * else the one that the service names now, which is kept. Throws Mismatch when the service signs with another one.
 */
export async function trustedKey(client: FeedClient, into: string, brought: string | undefined): Promise<KeyObject> {
  const file = join(into, 'public-key.pem')
  const kept = brought ?? (existsSync(file) ? readFileSync(file, 'utf8') : undefined)
  const served = publicKeyIn((await client.read('feeds/public-key.pem')).toString())
  if (!served) throw new PullFailed(`${client.url}feeds/public-key.pem is no Ed25519 public key in PEM.`)
  const trusted = kept === undefined ? served : publicKeyIn(kept)
  if (!trusted) throw new PullFailed(`${file} is no Ed25519 public key in PEM: restore it, or remove it to trust anew.`)
  if (!trusted.equals(served)) {
    const whose = brought === undefined ? `${file}, kept since the first pull` : 'the one that --public-key names'
    throw new Mismatch(
      `The service signs with the key ${keyIdOf(served)}, and not with ${keyIdOf(trusted)} (${whose}). Ask its operator: ` +
        'if the change was meant, pass the new key with --public-key.',
    )
  }
  if (brought !== undefined || kept === undefined) writeWhole(file, pemOf(trusted))
  return trusted
}

/** An Ed25519 public key in PEM (SPKI); undefined for anything else. */
export function publicKeyIn(pem: string): KeyObject | undefined {
  if (pem.includes('PRIVATE KEY')) return undefined
  try {
    const key = createPublicKey(pem)
    return key.asymmetricKeyType === 'ed25519' ? key : undefined
  } catch {
    return undefined
  }
}

const pemOf = (key: KeyObject): string => key.export({ type: 'spki', format: 'pem' }).toString()
