import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { keyIdOf, publicPem } from './manifest.ts'

/** The public half of the key that signs manifests, and how manifests name it. */
export interface SigningKey {
  /** SPKI. */
  readonly publicPem: string
  readonly keyId: string
}

const fileIn = (feedsFolder: string): string => join(feedsFolder, 'signing-key.pem')

/** What partners check signatures with; undefined before the first build, which makes the key. */
export function signingKeyOf(feedsFolder: string): SigningKey | undefined {
  const file = fileIn(feedsFolder)
  if (!existsSync(file)) return undefined
  const pem = readFileSync(file, 'utf8')
  return { publicPem: publicPem(pem), keyId: keyIdOf(createPrivateKey(pem)) }
}

/** The private key of a `feeds` folder (Ed25519; PKCS #8 in PEM, for its owner's eyes only), made when it is not there. */
export function privateKeyOf(feedsFolder: string): KeyObject {
  const file = fileIn(feedsFolder)
  if (!existsSync(file)) makeKey(feedsFolder, file)
  return createPrivateKey(readFileSync(file, 'utf8'))
}

function makeKey(feedsFolder: string, file: string): void {
  const { privateKey } = generateKeyPairSync('ed25519')
  mkdirSync(feedsFolder, { recursive: true })
  const aside = `${file}.${process.pid}.tmp`
  const handle = openSync(aside, 'w', 0o600)
  try {
    writeSync(handle, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  renameSync(aside, file)
}
