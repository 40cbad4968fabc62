import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import type { AdminToken, TokenStore } from '../../domain/admin-token.ts'
import type { Clock } from '../../kit/clock.ts'
import { recordOf } from './record.ts'

/** Revokes an admin token permanently; its next request is refused. A token can revoke only itself. */
export async function revokeToken(
  { tokens, clock }: { readonly tokens: TokenStore; readonly clock: Clock },
  actor: Actor,
  { id }: { readonly id: string },
): Promise<AdminToken | AdminFault> {
  const token = actor.kind === 'token' && actor.id !== id ? undefined : await tokens.get(id)
  if (!token) return adminFault('token_unknown', ['id'], { token: id })
  if (token.revokedMs !== undefined) return token
  const { partnerId } = token
  const record = recordOf(clock, actor, {
    action: 'token.revoke',
    target: id,
    ...(partnerId !== undefined && { partnerId }),
    before: { state: 'active' },
    after: { state: 'revoked' },
  })
  return (await tokens.revoke(id, clock.nowMs(), record)) ?? (await tokens.get(id))!
}
