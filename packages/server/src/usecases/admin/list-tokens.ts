import type { Actor } from '../../domain/actor.ts'
import type { AdminToken, TokenStore } from '../../domain/admin-token.ts'

/** Returns the admin tokens, oldest first. A token sees only itself. */
export async function listTokens(
  { tokens }: { readonly tokens: TokenStore },
  actor: Actor,
): Promise<readonly AdminToken[]> {
  const all = await tokens.list()
  return actor.kind === 'token' ? all.filter(({ id }) => id === actor.id) : all
}
