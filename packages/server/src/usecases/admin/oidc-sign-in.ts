import { type AdminFault, adminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { OidcClaims, OidcProvider, OidcRequest } from '../../domain/oidc.ts'
import type { Session } from '../../domain/session.ts'
import { toName } from '../../domain/text-bounds.ts'
import { noFactors, type User } from '../../domain/user.ts'
import { acceptInvitation } from './accept-link.ts'
import { type Browser, checkEmail, type Identity, toEmail, userActor } from './identity.ts'
import { storeProof } from './prove-again.ts'
import { recordOf } from './record.ts'
import { signInMs } from './second-factor-step.ts'
import { type StartedSession, startSession } from './start-session.ts'

/** Dependencies of the sign-in by OpenID Connect. */
export type OidcStores = Identity & { readonly oidc: OidcProvider }

type Kept = Omit<OidcRequest, 'url'> & { readonly proves?: string }

/**
 * Starts a sign-in at the provider, or a proof of a session. `ticket` binds it to the browser: it comes back in a
 * cookie.
 */
export async function startOidc(
  stores: OidcStores,
  { redirectUri, proves }: { readonly redirectUri: string; readonly proves?: Session | undefined },
): Promise<{ readonly url: string; readonly ticket: string } | AdminFault> {
  const request = await stores.oidc.start(redirectUri, proves !== undefined)
  if (!request) return adminFault('provider_unavailable', [], {})
  const { url, ...kept } = request
  const [ticket, nowMs] = [stores.opaque.create(), stores.clock.nowMs()]
  const data = JSON.stringify({ ...kept, ...(proves && { proves: proves.id }) } satisfies Kept)
  const signIn = { kind: 'oidc', data, expiresMs: nowMs + signInMs } as const
  await stores.people.signIns.add(signIn, stores.opaque.digest(ticket), nowMs)
  return { url, ticket }
}

/** Completes a sign-in or a proof by the URL to which the provider sent the browser back. */
export async function finishOidc(
  stores: OidcStores,
  browser: Browser,
  { ticket, callbackUrl }: { readonly ticket: string; readonly callbackUrl: string },
): Promise<StartedSession | { readonly proved: true } | AdminFault> {
  const open = await stores.people.signIns.take(stores.opaque.digest(ticket), 'oidc', stores.clock.nowMs())
  if (!open) return adminFault('sign_in_ended', [], {})
  const { proves, ...request } = JSON.parse(open.data) as Kept
  const claims = await stores.oidc.finish(callbackUrl, request, proves !== undefined)
  if (!claims) return adminFault('sign_in_refused', [], {})
  if (proves !== undefined) return proveSession(stores, claims, proves)
  const known = await stores.people.users.byOidcSub(claims.sub)
  const outcome = known ?? (await findOrCreate(stores, browser, claims))
  if ('token' in outcome || 'fault' in outcome) return outcome
  return outcome.state === 'active'
    ? startSession(stores, outcome, browser, 'oidc')
    : adminFault('sign_in_refused', [], {})
}

async function proveSession(
  stores: OidcStores,
  { sub }: OidcClaims,
  sessionId: string,
): Promise<{ readonly proved: true } | AdminFault> {
  const session = await stores.people.sessions.get(sessionId)
  const user = await stores.people.users.byOidcSub(sub)
  if (!session || user?.id !== session.userId) return adminFault('sign_in_refused', [], {})
  await storeProof(stores, session)
  return { proved: true }
}

/**
 * Links the account of a verified e-mail address: a user, an invitation, or new staff of a domain of the configuration.
 */
async function findOrCreate(
  stores: OidcStores,
  browser: Browser,
  { sub, verifiedEmail, name: text = '' }: OidcClaims,
): Promise<User | StartedSession | AdminFault> {
  const refused = adminFault('sign_in_refused', [], {})
  if (verifiedEmail === undefined || checkEmail(toEmail(verifiedEmail))) return refused
  const email = toEmail(verifiedEmail)
  const name = toName(text) || undefined
  const { users } = stores.people
  const known = await users.byEmail(email)
  if (known) return known.factors.oidc ? refused : linkAccount(stores, browser, known, sub)
  const invited = await acceptInvitation(stores, browser, { email, name })
  if (invited) {
    if (!isAdminFault(invited)) await linkAccount(stores, browser, invited.user, sub)
    return invited
  }
  if (!stores.oidc.emailDomains.some(domain => email.endsWith(`@${domain.toLowerCase()}`))) return refused
  const user: User = {
    id: stores.newId('user'),
    email,
    ...(name !== undefined && { name }),
    staffRole: stores.oidc.role,
    memberships: [],
    state: 'active',
    factors: noFactors,
    createdMs: stores.clock.nowMs(),
    revision: 1,
  }
  const actor = userActor(user, browser)
  const record = recordOf(stores.clock, actor, {
    action: 'user.create',
    target: user.id,
    after: { staffRole: user.staffRole },
  })
  return (await users.create(user, record)) ? linkAccount(stores, browser, user, sub) : refused
}

/**
 * Links an account. The provider confirms the mailbox, so the credentials of an unconfirmed account are removed.
 */
async function linkAccount(stores: OidcStores, browser: Browser, user: User, sub: string): Promise<User> {
  const record = recordOf(stores.clock, userActor(user, browser), { action: 'user.openid_connect', target: user.id })
  const change = { oidcSub: sub, confirmsEmail: user.unconfirmed === true }
  await stores.people.credentials.change(user.id, change, record)
  return user
}
