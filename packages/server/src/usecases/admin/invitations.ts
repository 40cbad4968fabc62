import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import type { Link } from '../../domain/session.ts'
import { type Identity, reaches, reachOf, toEmail } from './identity.ts'
import { recordOf } from './record.ts'

/** The organisation to which people are invited: a partner, or staff. */
export interface InvitedTo {
  readonly partnerId?: string | undefined
}

/**
 * Returns the open invitations of a partner, or of staff, oldest first. An actor of a partner sees those of the
 * partner.
 */
export async function listInvitations(
  { people, clock }: Identity,
  actor: Actor,
  { partnerId }: InvitedTo,
): Promise<readonly Link[]> {
  if (actor.partnerId !== undefined && partnerId !== actor.partnerId) return []
  return people.links.invitations(partnerId, clock.nowMs())
}

/** Ends the open invitation of an e-mail address: its link no longer works. */
export async function endInvitation(
  stores: Identity,
  actor: Actor,
  { email, partnerId }: InvitedTo & { readonly email: string },
): Promise<{ readonly ended: boolean } | AdminFault> {
  if (!reaches(await reachOf(stores, actor), partnerId))
    return adminFault('not_permitted', [], { permission: 'users:write' })
  const target = partnerId ?? 'staff'
  const record = recordOf(stores.clock, actor, { action: 'user.uninvite', target, partnerId, before: { email } })
  return { ended: await stores.people.links.endInvitation(toEmail(email), partnerId, record) }
}
