/** A secret of a key as it is listed. Times are in milliseconds since 1970. */
export interface KeySecret {
  readonly id: string
  /** The last four characters; missing for secrets of earlier releases. */
  readonly last4?: string
  readonly createdMs: number
  /** End of the secret; missing: as long as the key. */
  readonly expiresMs?: number
  /** Day of the latest counted call in UTC; missing before the first. */
  readonly lastUsedDay?: string
  /** Time of that call; missing if an earlier release counted it. */
  readonly lastUsedMs?: number
  /** Counted calls since the latest rotation of the key. */
  readonly calls: number
}

/** A new secret as it is stored. */
export interface StoredSecret {
  readonly digest: Buffer
  readonly last4?: string
}

/** Converts a new secret to its stored form. */
export const toStoredSecret = (secret: string, mint: Pick<SecretMint, 'digest'>): StoredSecret => ({
  digest: mint.digest(secret),
  last4: secret.slice(-4),
})

/** Creates secrets and the digests by which they are stored. */
export interface SecretMint {
  create(kind: 'live' | 'test'): string
  digest(secret: string): Buffer
}

/** A secret that a rotation adds to a key. */
export interface NewSecret extends StoredSecret {
  readonly createdMs: number
  /** End of all earlier secrets of the key. */
  readonly othersExpireMs: number
}
