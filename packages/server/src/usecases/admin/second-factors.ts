import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import type { Session } from '../../domain/session.ts'
import type { User } from '../../domain/user.ts'
import { checkPassword, hashPassword, passwordLength } from '../../identity/passwords.ts'
import { createTotpSecret, stepOfCode, totpUrl } from '../../identity/totp.ts'
import { type Browser, type Identity, userActor } from './identity.ts'
import { requireProof } from './prove-again.ts'
import { recordOf } from './record.ts'
import { signInMs } from './second-factor-step.ts'

/** A signed-in user who changes their own credentials. */
export interface SignedIn {
  readonly session: Session
  readonly user: User
  readonly browser: Browser
}

/** Sets another password and ends the user's other sessions. */
export async function setPassword(
  stores: Identity,
  { session, user, browser }: SignedIn,
  { password }: { readonly password: string },
): Promise<{ readonly changed: true } | AdminFault> {
  const fault = requireProof(stores, session)
  if (fault) return fault
  const problem = checkPassword(password, user.email)
  if (problem !== undefined) return adminFault('password_invalid', ['password'], { problem, ...passwordLength })
  const actor = userActor(user, browser)
  const change = { password: await hashPassword(password) }
  const record = recordOf(stores.clock, actor, { action: 'user.password', target: user.id, after: { password: true } })
  await stores.people.credentials.change(user.id, change, record)
  const ended = recordOf(stores.clock, actor, { action: 'session.end', target: user.id })
  await stores.people.sessions.end({ userId: user.id, exceptId: session.id }, ended)
  return { changed: true }
}

/** A new authenticator app that waits for its first code. */
export interface NewTotp {
  readonly ticket: string
  /** Base32; shown once. */
  readonly secret: string
  readonly url: string
}

/** Creates the secret of an authenticator app, which is used once its first code confirms it. */
export async function startTotp(stores: Identity, { session, user }: SignedIn): Promise<NewTotp | AdminFault> {
  const fault = requireProof(stores, session)
  if (fault) return fault
  const [secret, ticket, nowMs] = [createTotpSecret(), stores.opaque.create(), stores.clock.nowMs()]
  const sealed = stores.totpBox.seal(secret, user.id).toString('base64')
  const data = JSON.stringify({ userId: user.id, sealed })
  await stores.people.signIns.add(
    { kind: 'new_totp', data, expiresMs: nowMs + signInMs },
    stores.opaque.digest(ticket),
    nowMs,
  )
  return { ticket, secret, url: totpUrl(secret, user.email) }
}

/** Adds an authenticator app by its first code, and returns ten recovery codes, which are shown once. */
export async function confirmTotp(
  stores: Identity,
  { user, browser }: SignedIn,
  { ticket, code }: { readonly ticket: string; readonly code: string },
): Promise<{ readonly recoveryCodes: readonly string[] } | AdminFault> {
  const digest = stores.opaque.digest(ticket)
  const nowMs = stores.clock.nowMs()
  const open = await stores.people.signIns.get(digest, 'new_totp', nowMs)
  const { userId, sealed } = JSON.parse(open?.data ?? '{}') as { userId?: string; sealed?: string }
  if (userId !== user.id || sealed === undefined) return adminFault('sign_in_ended', [], {})
  const secret = Buffer.from(sealed, 'base64')
  const step = stepOfCode(stores.totpBox.open(secret, user.id) ?? '', code, nowMs)
  if (step === undefined) return adminFault('sign_in_refused', ['code'], {})
  if (!(await stores.people.signIns.take(digest, 'new_totp', nowMs))) return adminFault('sign_in_ended', [], {})
  const recoveryCodes = stores.codes.create()
  const change = { totp: { secret, step }, recoveryCodes: recoveryCodes.map(stores.codes.digest) }
  const record = recordOf(stores.clock, userActor(user, browser), {
    action: 'user.totp',
    target: user.id,
    after: { totp: true },
  })
  await stores.people.credentials.change(user.id, change, record)
  return { recoveryCodes }
}

/** Removes the authenticator app and the recovery codes. */
export async function removeTotp(
  stores: Identity,
  { session, user, browser }: SignedIn,
): Promise<{ readonly changed: true } | AdminFault> {
  const fault = requireProof(stores, session)
  if (fault) return fault
  const record = recordOf(stores.clock, userActor(user, browser), {
    action: 'user.totp',
    target: user.id,
    before: { totp: true },
  })
  await stores.people.credentials.change(user.id, { totp: null, recoveryCodes: [] }, record)
  return { changed: true }
}

/** Replaces the recovery codes and returns the new ones, which are shown once. */
export async function renewRecoveryCodes(
  stores: Identity,
  { session, user, browser }: SignedIn,
): Promise<{ readonly recoveryCodes: readonly string[] } | AdminFault> {
  const fault = requireProof(stores, session)
  if (fault) return fault
  const recoveryCodes = stores.codes.create()
  const record = recordOf(stores.clock, userActor(user, browser), { action: 'user.recovery_codes', target: user.id })
  const change = { recoveryCodes: recoveryCodes.map(stores.codes.digest) }
  await stores.people.credentials.change(user.id, change, record)
  return { recoveryCodes }
}
