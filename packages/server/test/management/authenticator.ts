import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

/** The options of a passkey that the authenticator reads. */
export interface PasskeyOptions {
  readonly challenge: string
  readonly rp?: { readonly id: string }
  readonly rpId?: string
}

/** An authenticator in software (WebAuthn Level 3 §6): one ES256 passkey, user verified, attestation `none`. */
export interface Authenticator {
  readonly id: string
  readonly keys?: { readonly publicKey: KeyObject; readonly privateKey: KeyObject }
  register(options: PasskeyOptions): object
  sign(options: PasskeyOptions): object
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()
const base64url = (data: Uint8Array | string): string => Buffer.from(data).toString('base64url')

/** Creates an authenticator at pages of an origin, with the passkey of another one if it is passed. */
export function createAuthenticator(origin: string, like: Partial<Authenticator> = {}): Authenticator {
  const { id = base64url(randomBytes(16)), keys = generateKeyPairSync('ec', { namedCurve: 'P-256' }) } = like
  let counter = 10
  const clientData = (type: string, challenge: string) => Buffer.from(JSON.stringify({ type, challenge, origin }))
  const authenticatorData = (rpId: string, flags: number, rest: Uint8Array = Buffer.alloc(0)) => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(++counter)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, rest])
  }
  const credential = (response: object) => ({ id, rawId: id, type: 'public-key', clientExtensionResults: {}, response })
  return {
    id,
    keys,
    register: ({ challenge, rp }) => {
      const rawId = Buffer.from(id, 'base64url')
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, rawId.length]), rawId, coseKey(keys.publicKey)])
      const authData = new Uint8Array(authenticatorData(rp!.id, 0x45, attested))
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ])
      return credential({
        clientDataJSON: base64url(clientData('webauthn.create', challenge)),
        attestationObject: base64url(isoCBOR.encode(attestation as never)),
      })
    },
    sign: ({ challenge, rpId }) => {
      const client = clientData('webauthn.get', challenge)
      const data = authenticatorData(rpId!, 0x05)
      const signature = createSign('sha256')
        .update(Buffer.concat([data, sha256(client)]))
        .sign(keys.privateKey)
      return credential({
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(signature),
      })
    },
  }
}

/** Encodes a public key in COSE (RFC 9053 §7.1). */
function coseKey(key: KeyObject): Uint8Array {
  const { x, y } = key.export({ format: 'jwk' })
  const bytes = (text: string | undefined) => new Uint8Array(Buffer.from(text!, 'base64url'))
  const members: [number, number | Uint8Array][] = [
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, bytes(x)],
    [-3, bytes(y)],
  ]
  return isoCBOR.encode(new Map(members) as never)
}
