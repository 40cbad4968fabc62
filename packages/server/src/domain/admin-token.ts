import type { AdminPermission } from './admin-permission.ts'
import type { ChangeRecord } from './change-record.ts'

/** A token of the admin API. The store has the digest of its secret only. */
export interface AdminToken {
  readonly id: string
  readonly name: string
  readonly permissions: readonly AdminPermission[]
  /** The only partner that the token sees; every partner if undefined. */
  readonly partnerId?: string
  /** Kind and id of the actor that made it: `cli:ann`, `user:user_…`. */
  readonly maker: string
  readonly createdMs: number
  readonly expiresMs: number
  readonly revokedMs?: number
  /** UTC day of the last use, as `2026-11-30`. */
  readonly lastUsedDay?: string
}

export type AdminTokenState = 'active' | 'expired' | 'revoked'

/** Reason why a presented token is refused. */
export type TokenRefusal = 'missing' | 'malformed' | 'unknown' | 'expired' | 'revoked'

/** Returns the state of a token. */
export function tokenState({ revokedMs, expiresMs }: AdminToken, nowMs: number): AdminTokenState {
  if (revokedMs !== undefined) return 'revoked'
  return nowMs >= expiresMs ? 'expired' : 'active'
}

/** Creates secrets of admin tokens and the digests by which they are stored. */
export interface TokenMint {
  create(): string
  /** Returns the digest of a secret; undefined if the text cannot be one. */
  digest(secret: string): Buffer | undefined
}

/** The tokens of the admin API. Every change is on disk before its promise resolves. */
export interface TokenStore {
  create(token: AdminToken, digest: Buffer, record: ChangeRecord): Promise<void>
  byDigest(digest: Buffer): Promise<AdminToken | undefined>
  get(id: string): Promise<AdminToken | undefined>
  /** Returns all tokens, oldest first. */
  list(): Promise<AdminToken[]>
  /** Revokes a token; undefined, with nothing changed, if it does not exist or is revoked. */
  revoke(id: string, atMs: number, record: ChangeRecord): Promise<AdminToken | undefined>
  /** Stores the day of the last use; writes at most once per token and day. */
  used(id: string, day: string): Promise<void>
}
