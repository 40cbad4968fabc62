import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import type { AdminPermission } from '../../domain/admin-permission.ts'
import type { AdminToken, TokenMint, TokenStore } from '../../domain/admin-token.ts'
import type { KeyAdmin } from '../../domain/key-stores.ts'
import { visibilityOf } from '../../domain/visibility.ts'
import { tokenPermissions } from '../../identity/permissions.ts'
import type { Clock } from '../../kit/clock.ts'
import { dayMs } from '../../kit/time.ts'
import { checkTexts } from './check-texts.ts'
import { recordOf } from './record.ts'

/** Dependencies of `createToken`. */
export interface TokenCreation {
  readonly keys: Pick<KeyAdmin, 'partner'>
  readonly tokens: TokenStore
  readonly tokenMint: TokenMint
  readonly clock: Clock
  newId(kind: 'token'): string
}

/** Terms of a new token. */
export interface TokenInput {
  readonly name: string
  readonly permissions: readonly string[]
  readonly partnerId?: string | undefined
  /** Default: in 90 days. */
  readonly expiresMs?: number | undefined
}

const defaultDays = 90
const maxDays = 366

/** Creates an admin token and its secret, which only this function returns; the store contains its digest. */
export async function createToken(
  stores: TokenCreation,
  actor: Actor,
  { name, permissions, partnerId, expiresMs: wantedMs }: TokenInput,
): Promise<{ readonly token: AdminToken; readonly secret: string } | AdminFault> {
  const createdMs = stores.clock.nowMs()
  const expiresMs = wantedMs ?? createdMs + defaultDays * dayMs
  const fault =
    (actor.kind === 'token' ? adminFault('not_permitted', [], { permission: 'tokens:write' }) : undefined) ??
    checkTexts({ name }) ??
    checkPermissions(permissions) ??
    checkExpiry(expiresMs, createdMs)
  if (fault) return fault
  if (partnerId !== undefined && !(await stores.keys.partner(partnerId, visibilityOf(actor))))
    return adminFault('partner_unknown', ['partner_id'], { partner: partnerId })
  const token: AdminToken = {
    id: stores.newId('token'),
    name,
    permissions: tokenPermissions.filter(known => permissions.includes(known)),
    ...(partnerId !== undefined && { partnerId }),
    maker: `${actor.kind}:${actor.id}`,
    createdMs,
    expiresMs,
  }
  const secret = stores.tokenMint.create()
  const record = recordOf(stores.clock, actor, {
    action: 'token.create',
    target: token.id,
    ...(partnerId !== undefined && { partnerId }),
    after: { permissions: [...token.permissions], expires_at: new Date(expiresMs).toISOString() },
  })
  await stores.tokens.create(token, stores.tokenMint.digest(secret)!, record)
  return { token, secret }
}

function checkPermissions(names: readonly string[]): AdminFault | undefined {
  const fields = ['permissions']
  if (names.length === 0) return adminFault('permissions_required', fields, { permissions: tokenPermissions })
  const wrong = names.find(name => !tokenPermissions.includes(name as AdminPermission))
  return wrong === undefined
    ? undefined
    : adminFault('permission_invalid', fields, { permission: wrong, permissions: tokenPermissions })
}

function checkExpiry(expiresMs: number, nowMs: number): AdminFault | undefined {
  const maxMs = nowMs + maxDays * dayMs
  return expiresMs > nowMs && expiresMs <= maxMs
    ? undefined
    : adminFault('token_end_invalid', ['expires_at'], { expiresMs, maxMs })
}
