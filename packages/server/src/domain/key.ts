import type { Agreement } from './agreement.ts'
import type { FeedPins } from './feed.ts'
import type { PackageName, Permission } from './package.ts'
import type { Scope } from './scope.ts'

export type KeyState = 'active' | 'disabled' | 'revoked'

/** A key record: the subject of limits and usage. Its secrets come and go by rotation. */
export interface Key {
  readonly id: string
  readonly partnerId: string
  readonly name?: string
  /** Never billed, 1,000 units a day, no feeds. */
  readonly test: boolean
  readonly packageName: PackageName
  readonly addOns: readonly Permission[]
  readonly agreement: Agreement
  readonly scope: Scope
  readonly feedPins: FeedPins
  readonly state: KeyState
  readonly createdMs: number
}

/** What a presented secret leads to. */
export interface KeyBySecret {
  readonly key: Key
  /** From when on this secret no longer works; set by a rotation (milliseconds since 1970). */
  readonly expiresMs?: number
}

/** Makes secrets and the digests by which they are stored. */
export interface SecretMint {
  create(kind: 'live' | 'test'): string
  digest(secret: string): Buffer
}
