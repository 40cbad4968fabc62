import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import type { User } from '../../domain/user.ts'
import { stepOfCode } from '../../identity/totp.ts'
import type { Browser, Identity } from './identity.ts'
import { type StartedSession, startSession } from './start-session.ts'

/** Completes a sign-in by a code of an authenticator app or a recovery code; each works once. */
export async function completeSignIn(
  stores: Identity,
  browser: Browser,
  { ticket, code }: { readonly ticket: string; readonly code: string },
): Promise<StartedSession | AdminFault> {
  const digest = stores.opaque.digest(ticket)
  const open = await stores.people.signIns.get(digest, 'second_factor', stores.clock.nowMs())
  const user = open && (await stores.people.users.get((JSON.parse(open.data) as { userId: string }).userId))
  if (user?.state !== 'active') return adminFault('sign_in_ended', [], {})
  const waitMs = stores.throttle.start(user.email, browser.address)
  if (waitMs > 0) return adminFault('sign_in_slowed', [], { waitMs })
  if (!(await spendCode(stores, user, code))) return adminFault('sign_in_refused', ['code'], {})
  if (!(await stores.people.signIns.take(digest, 'second_factor', stores.clock.nowMs())))
    return adminFault('sign_in_ended', [], {})
  stores.throttle.succeeded(user.email, browser.address)
  return startSession(stores, user, browser, 'second_factor')
}

/** Spends a code of a user; returns false if it is wrong or was used before. */
async function spendCode(stores: Identity, { id }: User, code: string): Promise<boolean> {
  const { credentials } = stores.people
  const sealed = (await credentials.get(id))?.totp
  const secret = sealed && stores.totpBox.open(sealed, id)
  const step = secret === undefined ? undefined : stepOfCode(secret, code, stores.clock.nowMs())
  if (step !== undefined) return credentials.useTotpStep(id, step)
  return credentials.useRecoveryCode(id, stores.codes.digest(code))
}
