import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import type { Link } from '../../domain/session.ts'
import { addLink } from './create-link.ts'
import { checkEmail, type Identity, toEmail, userActor } from './identity.ts'
import { type CreatedLink, linkMs } from './invite-user.ts'
import { requireProof } from './prove-again.ts'
import type { SignedIn } from './second-factors.ts'

/**
 * Creates the link with which a user confirms a new e-mail address, or the current one while it is unconfirmed; until
 * then the account keeps its address. The answer does not reveal that another account has the address: the link fails.
 */
export async function requestEmail(
  stores: Identity,
  { session, user, browser }: SignedIn,
  { email: text }: { readonly email: string },
): Promise<CreatedLink | AdminFault> {
  const fault = requireProof(stores, session)
  if (fault) return fault
  const email = toEmail(text)
  if (email === user.email && !user.unconfirmed) return adminFault('email_invalid', ['email'], { email })
  const wrong = checkEmail(email)
  if (wrong) return wrong
  const createdMs = stores.clock.nowMs()
  const link: Link = { purpose: 'email', userId: user.id, email, createdMs, expiresMs: createdMs + linkMs }
  return addLink(stores, userActor(user, browser), link, user.id)
}
