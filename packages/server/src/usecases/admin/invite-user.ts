import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import { type PartnerRole, partnerRoles, type StaffRole, staffRoles } from '../../domain/admin-permission.ts'
import type { Link } from '../../domain/session.ts'
import { everything } from '../../domain/visibility.ts'
import { hourMs } from '../../kit/time.ts'
import { checkEmail, type Identity, reaches, reachOf, toEmail } from './identity.ts'
import { recordOf } from './record.ts'

/** An invitation of staff, or of a user of a partner. */
export interface Invitation {
  readonly email: string
  readonly role: string
  readonly partnerId?: string | undefined
}

/** A link with its token, which only its creation returns. */
export interface CreatedLink {
  readonly link: Link
  readonly token: string
}

/** Time for which links work, in milliseconds. */
export const linkMs = 24 * hourMs

/**
 * Creates the link of an invitation. Opening it creates the user, or adds the partner to an existing user of partners.
 */
export async function inviteUser(
  stores: Identity,
  actor: Actor,
  { email: text, role, partnerId }: Invitation,
): Promise<CreatedLink | AdminFault> {
  const email = toEmail(text)
  const fault = checkEmail(email) ?? checkRole(role, partnerId)
  if (fault) return fault
  if (!reaches(await reachOf(stores, actor), partnerId))
    return adminFault('not_permitted', [], { permission: 'users:write' })
  if (partnerId !== undefined && !(await stores.keys.partner(partnerId, everything)))
    return adminFault('partner_unknown', ['partner_id'], { partner: partnerId })
  // The admin of a partner must not learn who else has an account, so the link checks this when it is opened.
  const known = actor.partnerId === undefined ? await stores.people.users.byEmail(email) : undefined
  if (known && (partnerId === undefined || known.memberships.some(other => other.partnerId === partnerId)))
    return adminFault('user_exists', ['email'], { user: known.id })
  if (known?.staffRole !== undefined) return adminFault('role_conflict', ['email'], { user: known.id })
  const createdMs = stores.clock.nowMs()
  const target = { role, ...(partnerId !== undefined && { partnerId }) }
  const link: Link = { purpose: 'invitation', email, ...target, createdMs, expiresMs: createdMs + linkMs }
  const token = stores.opaque.create()
  const record = recordOf(stores.clock, actor, {
    action: 'user.invite',
    target: partnerId ?? 'staff',
    partnerId,
    after: { email, role },
  })
  await stores.people.links.add(link, stores.opaque.digest(token), record)
  return { link, token }
}

/** Returns the fault of a role that does not exist at a partner, or among staff. */
export function checkRole(role: string, partnerId: string | undefined): AdminFault | undefined {
  const roles = partnerId === undefined ? staffRoles : partnerRoles
  const isKnown = roles.some(known => known === role)
  return isKnown ? undefined : adminFault('role_invalid', ['role'], { role, roles })
}

/** Returns the roles that a checked role gives. */
export const rolesOf = (role: string, partnerId: string | undefined) =>
  partnerId === undefined
    ? { staffRole: role as StaffRole, memberships: [] }
    : { memberships: [{ partnerId, role: role as PartnerRole }] }
