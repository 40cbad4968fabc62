import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import type { Session } from '../../domain/session.ts'
import type { User } from '../../domain/user.ts'
import { verifyPassword } from '../../identity/passwords.ts'
import { isProved } from '../../identity/sessions.ts'
import type { Browser, Identity } from './identity.ts'

/** Proves by password that the user of a session is still there; the proof counts for ten minutes. */
export async function proveAgain(
  stores: Identity,
  browser: Browser,
  { session, user, password }: { readonly session: Session; readonly user: User; readonly password: string },
): Promise<{ readonly proved: true } | AdminFault> {
  const waitMs = stores.throttle.start(user.email, browser.address)
  if (waitMs > 0) return adminFault('sign_in_slowed', [], { waitMs })
  const credentials = await stores.people.credentials.get(user.id)
  if (!(await verifyPassword(password, credentials?.password))) return adminFault('sign_in_refused', ['password'], {})
  stores.throttle.succeeded(user.email, browser.address)
  await storeProof(stores, session)
  return { proved: true }
}

/** Stores that the user of a session has proved it now. */
export async function storeProof({ people, clock }: Identity, { id }: Session): Promise<void> {
  const nowMs = clock.nowMs()
  await people.sessions.seen(id, { seenMs: nowMs, provedMs: nowMs })
}

/** Returns the fault of a session without a recent proof. */
export const requireProof = ({ clock }: Pick<Identity, 'clock'>, session: Session): AdminFault | undefined =>
  isProved(session, clock.nowMs()) ? undefined : adminFault('proof_required', [], {})
