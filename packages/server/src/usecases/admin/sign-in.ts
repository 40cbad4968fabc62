import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import { verifyPassword } from '../../identity/passwords.ts'
import { type Browser, type Identity, toEmail } from './identity.ts'
import { openSecondFactor, type SecondFactorStep } from './second-factor-step.ts'
import { type StartedSession, startSession } from './start-session.ts'

/**
 * Signs a user in by password. Unknown users take as long as known ones. Returns the session, or the step of the second
 * factor.
 */
export async function signIn(
  stores: Identity,
  browser: Browser,
  { email: text, password }: { readonly email: string; readonly password: string },
): Promise<StartedSession | SecondFactorStep | AdminFault> {
  const email = toEmail(text)
  const waitMs = stores.throttle.start(email, browser.address)
  if (waitMs > 0) return adminFault('sign_in_slowed', [], { waitMs })
  const user = await stores.people.users.byEmail(email)
  const stored = user && (await stores.people.credentials.get(user.id))?.password
  const isRight = await verifyPassword(password, stored)
  if (!user || !isRight || user.state !== 'active') return adminFault('sign_in_refused', [], {})
  if (user.factors.totp) return openSecondFactor(stores, user)
  stores.throttle.succeeded(email, browser.address)
  return startSession(stores, user, browser, 'password')
}
