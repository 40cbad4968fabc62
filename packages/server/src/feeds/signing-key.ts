import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { computeKeyId, publicPem } from './manifest.ts'

/** Public part of the key that signs manifests. */
export interface SigningKey {
  /** Public key as SPKI in PEM. */
  readonly publicPem: string
  /** Id of the key in manifests. */
  readonly keyId: string
}

const keyFile = (feedsFolder: string): string => join(feedsFolder, 'signing-key.pem')

/** Reads the public key for signature checks; undefined before the first build, which creates the key. */
export function readSigningKey(feedsFolder: string): SigningKey | undefined {
  const file = keyFile(feedsFolder)
  if (!existsSync(file)) return undefined
  const pem = readFileSync(file, 'utf8')
  return { publicPem: publicPem(pem), keyId: computeKeyId(createPrivateKey(pem)) }
}

/** Reads the private key of a `feeds` folder (Ed25519; PKCS #8 in PEM, mode 0600), or creates it if it is missing. */
export function loadOrCreatePrivateKey(feedsFolder: string): KeyObject {
  const file = keyFile(feedsFolder)
  if (!existsSync(file)) createKey(feedsFolder, file)
  return createPrivateKey(readFileSync(file, 'utf8'))
}

function createKey(feedsFolder: string, file: string): void {
  const { privateKey } = generateKeyPairSync('ed25519')
  mkdirSync(feedsFolder, { recursive: true })
  const temporary = `${file}.${process.pid}.tmp`
  const handle = openSync(temporary, 'w', 0o600)
  try {
    writeSync(handle, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  renameSync(temporary, file)
}
