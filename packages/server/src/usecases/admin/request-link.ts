import type { Actor } from '../../domain/actor.ts'
import { isAdminFault } from '../../domain/admin-fault.ts'
import { createRecoveryLink } from './create-link.ts'
import { type Browser, checkEmail, type Identity, toEmail } from './identity.ts'
import type { CreatedLink } from './invite-user.ts'

/**
 * Creates the link of a person who cannot sign in, for the mail to that person. Returns undefined if no active user has
 * the address, or if too many links were requested for it: callers answer alike, so that nobody learns who has an
 * account.
 */
export async function requestLink(
  stores: Identity,
  { requestId, address }: Browser,
  { email: text }: { readonly email: string },
): Promise<{ readonly created: CreatedLink; readonly to: string } | undefined> {
  const email = toEmail(text)
  // Limited per account, not per network address: requests from many addresses must not fill a mailbox.
  if (checkEmail(email) || stores.throttle.start(`link ${email}`, '') > 0) return undefined
  const user = await stores.people.users.byEmail(email)
  if (user?.state !== 'active') return undefined
  const actor: Actor = { kind: 'system', id: 'portal', via: 'portal', requestId, address }
  const created = await createRecoveryLink(stores, actor, { user: user.id })
  return isAdminFault(created) ? undefined : { created, to: user.email }
}
