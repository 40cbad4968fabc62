import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import type { Manifest } from '../domain/feed.ts'
import { parseLongJson, toLongJson } from '../kit/long-json.ts'

/**
 * Returns a manifest in its stored and served form: compact JSON whose last members are `signing_key_id` and
 * `signature`. The signature (Ed25519, RFC 8032) covers the bytes without the member `signature`:
 * `{…,"signing_key_id":"…"}`.
 */
export function signedManifest(manifest: Manifest, key: KeyObject): Buffer {
  const unsigned = JSON.stringify({ ...manifest, signing_key_id: computeKeyId(key) }, digits)
  const signature = sign(null, Buffer.from(unsigned), key).toString('base64')
  return Buffer.from(`${unsigned.slice(0, -1)}${formatSignature(signature)}}`)
}

/** Parses a manifest without checking its signature; undefined for other text. */
export function parseManifest(text: string): Manifest | undefined {
  try {
    const found = parseLongJson(text) as Partial<Manifest> & { signature?: string; signing_key_id?: string }
    const { signature: _, signing_key_id: __, ...manifest } = found
    const isManifest = typeof manifest.snapshot_id === 'string' && Array.isArray(manifest.files)
    return isManifest ? (manifest as Manifest) : undefined
  } catch {
    return undefined
  }
}

/** Returns true if a manifest has a valid signature by the key `publicKey`. */
export function isSigned(bytes: Buffer, publicKey: KeyObject): boolean {
  const text = bytes.toString()
  const match = /,"signature":"([A-Za-z0-9+/=]+)"\}$/.exec(text)
  if (!match) return false
  const unsigned = `${text.slice(0, match.index)}}`
  return verify(null, Buffer.from(unsigned), publicKey, Buffer.from(match[1]!, 'base64'))
}

/**
 * Returns a function that returns true if a manifest names the key `publicKey` and its signature is not by that key:
 * its bytes have changed.
 */
export function createSignatureCheck(publicKey: KeyObject): (bytes: Buffer) => boolean {
  const keyId = computeKeyId(publicKey)
  const naming = `"signing_key_id":"${keyId}"`
  return bytes => {
    if (verified.get(bytes) === keyId || !bytes.includes(naming)) return false
    const isIntact = isSigned(bytes, publicKey)
    if (isIntact) verified.set(bytes, keyId)
    return !isIntact
  }
}

/** Manifests in memory whose signature has been verified, with the id of the key. */
const verified = new WeakMap<Buffer, string>()

/** Returns the id of a signing key: the first 16 hex digits of the SHA-256 of its public key (SPKI, DER). */
export function computeKeyId(key: KeyObject): string {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex')
    .slice(0, 16)
}

const formatSignature = (signature: string): string => `,"signature":"${signature}"`

const digits = (_name: string, value: unknown) => (typeof value === 'bigint' ? toLongJson(value) : value)
