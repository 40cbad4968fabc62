import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type SigningKeyProblem, signingKeyText } from '../domain/feed.ts'
import { replaceFile } from '../kit/replace-file.ts'
import { computeKeyId } from './manifest.ts'

/** Public part of the key that signs manifests. */
export interface SigningKey {
  /** Public key as SPKI in PEM. */
  readonly publicPem: string
  /** Id of the key in manifests. */
  readonly keyId: string
}

/**
 * Thrown if the key of a folder with snapshots cannot sign. A new key is made only on request, because partners need
 * it.
 */
export class UnusableSigningKey extends Error {
  readonly file: string
  readonly problem: SigningKeyProblem

  constructor(feedsFolder: string, problem: SigningKeyProblem) {
    const file = signingKeyFile(feedsFolder)
    super(`${signingKeyText(file, problem)} Restore it from a backup.`)
    this.file = file
    this.problem = problem
  }
}

export const signingKeyFile = (feedsFolder: string): string => join(feedsFolder, 'signing-key.pem')

/** Reads the public key for signature checks; undefined before the first build, which creates the key. */
export function readSigningKey(feedsFolder: string): SigningKey | 'damaged' | undefined {
  const key = readPrivateKey(feedsFolder)
  if (key === undefined || key === 'damaged') return key
  const pem = createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString()
  return { publicPem: pem, keyId: computeKeyId(key) }
}

/**
 * Reads the private key of a `feeds` folder (Ed25519; PKCS #8 in PEM, mode 0600). If it is missing or damaged, creates
 * it if `create` is true, and otherwise throws UnusableSigningKey.
 */
export function loadPrivateKey(feedsFolder: string, { create }: { readonly create: boolean }): KeyObject {
  const key = readPrivateKey(feedsFolder)
  if (key !== undefined && key !== 'damaged') return key
  if (!create) throw new UnusableSigningKey(feedsFolder, key ?? 'missing')
  return createKey(feedsFolder)
}

function readPrivateKey(feedsFolder: string): KeyObject | 'damaged' | undefined {
  const file = signingKeyFile(feedsFolder)
  if (!existsSync(file)) return undefined
  const pem = readFileSync(file, 'utf8')
  try {
    const key = createPrivateKey(pem)
    return key.asymmetricKeyType === 'ed25519' ? key : 'damaged'
  } catch {
    return 'damaged'
  }
}

function createKey(feedsFolder: string): KeyObject {
  const { privateKey } = generateKeyPairSync('ed25519')
  mkdirSync(feedsFolder, { recursive: true })
  replaceFile(signingKeyFile(feedsFolder), privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
  return privateKey
}
