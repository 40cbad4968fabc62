import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import { type AdminToken, type TokenMint, type TokenStore, tokenState } from '../../domain/admin-token.ts'
import type { Clock } from '../../kit/clock.ts'
import { toUtcDay } from '../../kit/time.ts'

/** A presented token and the request that it came with. */
export interface PresentedToken {
  readonly secret: string | undefined
  readonly requestId: string
  readonly address?: string
}

/** Finds the token of a presented secret and returns it with its actor. Stores the day of the use. */
export async function authenticateToken(
  { tokens, tokenMint, clock }: { readonly tokens: TokenStore; readonly tokenMint: TokenMint; readonly clock: Clock },
  { secret, requestId, address }: PresentedToken,
): Promise<{ readonly token: AdminToken; readonly actor: Actor } | AdminFault> {
  if (secret === undefined) return adminFault('token_refused', [], { reason: 'missing' })
  const digest = tokenMint.digest(secret)
  if (!digest) return adminFault('token_refused', [], { reason: 'malformed' })
  const token = await tokens.byDigest(digest)
  if (!token) return adminFault('token_refused', [], { reason: 'unknown' })
  const nowMs = clock.nowMs()
  const state = tokenState(token, nowMs)
  if (state !== 'active') return adminFault('token_refused', [], { reason: state })
  const day = toUtcDay(nowMs)
  if (token.lastUsedDay !== day) await tokens.used(token.id, day)
  const { id, partnerId } = token
  const actor: Actor = {
    kind: 'token',
    id,
    via: 'api',
    requestId,
    ...(partnerId !== undefined && { partnerId }),
    ...(address !== undefined && { address }),
  }
  return { token, actor }
}
