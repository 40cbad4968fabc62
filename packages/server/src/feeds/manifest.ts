import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import type { Manifest } from '../domain/feed.ts'
import { longJson, parseLongJson } from '../kit/long-json.ts'

/**
 * A manifest as it is stored and served: compact JSON whose last members are `signing_key_id` and `signature`. What is
 * signed (Ed25519, RFC 8032) are the bytes without the member `signature`: `{…,"signing_key_id":"…"}`.
 */
export function signedManifest(manifest: Manifest, key: KeyObject): Buffer {
  const unsigned = JSON.stringify({ ...manifest, signing_key_id: keyIdOf(key) }, digits)
  const signature = sign(null, Buffer.from(unsigned), key).toString('base64')
  return Buffer.from(`${unsigned.slice(0, -1)}${memberOf(signature)}}`)
}

/** Reads a manifest; undefined where the text is none. The signature is not looked at. */
export function parseManifest(text: string): Manifest | undefined {
  try {
    const found = parseLongJson(text) as Partial<Manifest> & { signature?: string; signing_key_id?: string }
    const { signature: _, signing_key_id: __, ...manifest } = found
    const whole = typeof manifest.snapshot_id === 'string' && Array.isArray(manifest.files)
    return whole ? (manifest as Manifest) : undefined
  } catch {
    return undefined
  }
}

/** Whether the bytes of a manifest bear the signature of `publicKey`. */
export function isSigned(bytes: Buffer, publicKey: KeyObject): boolean {
  const text = bytes.toString()
  const match = /,"signature":"([A-Za-z0-9+/=]+)"\}$/.exec(text)
  if (!match) return false
  const unsigned = `${text.slice(0, match.index)}}`
  return verify(null, Buffer.from(unsigned), publicKey, Buffer.from(match[1]!, 'base64'))
}

/** Tells signing keys apart: the first 16 hex digits of the SHA-256 of the public key (SPKI, DER). */
export function keyIdOf(key: KeyObject): string {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex')
    .slice(0, 16)
}

/** The public half of a private key in PEM, in PEM (SPKI). */
export const publicPem = (privatePem: string): string =>
  createPublicKey(createPrivateKey(privatePem)).export({ type: 'spki', format: 'pem' }).toString()

const memberOf = (signature: string): string => `,"signature":"${signature}"`

const digits = (_name: string, value: unknown) => (typeof value === 'bigint' ? longJson(value) : value)
