import { type AdminFault, adminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { Link } from '../../domain/session.ts'
import { noFactors, type User } from '../../domain/user.ts'
import { checkPassword, hashPassword, passwordLength } from '../../identity/passwords.ts'
import { checkOptionalTexts } from './check-texts.ts'
import { type Browser, checkEmail, type Identity, toEmail, userActor } from './identity.ts'
import { rolesOf } from './invite-user.ts'
import { recordOf } from './record.ts'
import { openSecondFactor, type SecondFactorStep } from './second-factor-step.ts'
import { newSession, type StartedSession } from './start-session.ts'

/** Content of the form of a link. */
export interface LinkAcceptance {
  readonly token: string
  /** E-mail address of the first owner. Ignored for other links, which contain the address. */
  readonly email?: string | undefined
  readonly name?: string | undefined
  readonly password?: string | undefined
  /** The signed-in user of the browser, whom a link may require; see `requiredUser`. */
  readonly signedInId?: string | undefined
}

/** Returns a link that can still be opened, without spending it. */
export async function findLink(stores: Identity, { token }: { readonly token: string }): Promise<Link | AdminFault> {
  const link = await stores.people.links.byDigest(stores.opaque.digest(token))
  if (!link) return adminFault('link_ended', [], { reason: 'unknown' })
  if (link.usedMs !== undefined) return adminFault('link_ended', [], { reason: 'used' })
  return stores.clock.nowMs() < link.expiresMs ? link : adminFault('link_ended', [], { reason: 'expired' })
}

/**
 * Returns the id of the user who must be signed in to open a link. A new e-mail address requires it, because the holder
 * of a mistyped address would get the account otherwise. So does an invitation of an existing user, because the person
 * who invites may see the link.
 */
export async function requiredUser({ people }: Identity, link: Link): Promise<string | undefined> {
  if (link.purpose === 'email') return link.userId
  return link.purpose === 'invitation' ? (await people.users.byEmail(link.email!))?.id : undefined
}

/**
 * Returns true if a link is the first one that reached the mailbox of a user by mail. Others may have made the account
 * with a link that was shown to them, so opening this one removes all its credentials.
 */
export async function isFirstMail({ people }: Identity, { purpose, mailed, userId = '' }: Link): Promise<boolean> {
  if (purpose !== 'recovery' || !mailed) return false
  return (await people.users.get(userId))?.unconfirmed === true
}

/** Spends a link: creates or changes its user, and signs the user in unless a second factor must be shown first. */
export async function acceptLink(
  stores: Identity,
  browser: Browser,
  acceptance: LinkAcceptance,
): Promise<StartedSession | SecondFactorStep | AdminFault> {
  const link = await findLink(stores, acceptance)
  if (isAdminFault(link)) return link
  const required = await requiredUser(stores, link)
  if (required !== undefined && acceptance.signedInId !== required) return adminFault('proof_required', [], {})
  const removesCredentials = await isFirstMail(stores, link)
  const target = await resolveUser(stores, link, acceptance)
  if (isAdminFault(target)) return target
  const user = 'create' in target ? target.create : target.change
  const password = required === undefined ? acceptance.password : undefined
  const problem = password === undefined ? undefined : checkPassword(password, user.email)
  if (problem !== undefined) return adminFault('password_invalid', ['password'], { problem, ...passwordLength })
  // A link that needs a signed-in user proves nothing about that user: its maker may have opened it in a browser that
  // was left open.
  const started = newSession(stores, user, browser, required === undefined)
  // A link proves only access to the mailbox: a user with a second factor must still show it. An operator can reset it.
  const needsFactor = link.purpose === 'recovery' && user.factors.totp
  const digest = stores.opaque.digest(started.token)
  const use = {
    digest: stores.opaque.digest(acceptance.token),
    nowMs: stores.clock.nowMs(),
    user: target,
    removesCredentials,
    ...(password !== undefined && { password: await hashPassword(password) }),
    ...(!needsFactor && { session: { session: started.session, digest } }),
  }
  const record = recordOf(stores.clock, userActor(user, browser), {
    action: 'link.use',
    target: user.id,
    partnerId: link.partnerId,
    after: { purpose: link.purpose, ...(removesCredentials && { credentialsRemoved: true }) },
  })
  if (!(await stores.people.links.use(use, record))) return adminFault('link_ended', [], { reason: 'used' })
  return needsFactor ? openSecondFactor(stores, user) : started
}

/** Signs in the person whose verified e-mail address was invited; undefined if no open invitation names it. */
export async function acceptInvitation(
  stores: Identity,
  browser: Browser,
  { email, name }: { readonly email: string; readonly name: string | undefined },
): Promise<StartedSession | AdminFault | undefined> {
  const found = await stores.people.links.invitationOf(email, stores.clock.nowMs())
  if (!found) return undefined
  const target = await resolveUser(stores, { ...found.link, mailed: true }, { token: '', name })
  if (isAdminFault(target)) return target
  const user = 'create' in target ? target.create : target.change
  const started = newSession(stores, user, browser)
  const session = { session: started.session, digest: stores.opaque.digest(started.token) }
  const use = { digest: found.digest, nowMs: stores.clock.nowMs(), user: target, session }
  const record = recordOf(stores.clock, userActor(user, browser), {
    action: 'link.use',
    target: user.id,
    partnerId: found.link.partnerId,
    after: { purpose: 'invitation' },
  })
  const isUsed = await stores.people.links.use(use, record)
  return isUsed ? started : adminFault('link_ended', [], { reason: 'used' })
}

type LinkTarget = { readonly create: User } | { readonly change: User }

/** Returns the user that a link creates, or the existing user as the link changes it. */
async function resolveUser(stores: Identity, link: Link, acceptance: LinkAcceptance): Promise<LinkTarget | AdminFault> {
  const ended = adminFault('link_ended', [], { reason: 'unknown' })
  const { users } = stores.people
  if (link.userId !== undefined) {
    const user = await users.get(link.userId)
    if (user?.state !== 'active') return ended
    return { change: openedBy(link.purpose === 'email' ? { ...user, email: link.email! } : user, link) }
  }
  const email = toEmail(link.email ?? acceptance.email ?? '')
  const fault = checkEmail(email)
  if (fault) return fault
  const known = await users.byEmail(email)
  if (known) return joinPartner(known, link)
  const { name } = acceptance
  const invalid = checkOptionalTexts({ name })
  if (invalid) return invalid
  return {
    create: {
      id: stores.newId('user'),
      email,
      ...(name !== undefined && name.trim() !== '' && { name: name.trim() }),
      ...rolesOf(link.role!, link.partnerId),
      state: 'active',
      factors: noFactors,
      createdMs: stores.clock.nowMs(),
      revision: 1,
      ...(link.purpose === 'invitation' && !link.mailed && { unconfirmed: true }),
    },
  }
}

/**
 * Returns a user as opening a link changes it: a link from a mail confirms the address, and a recovery by mail then
 * also removes all credentials.
 */
function openedBy(user: User, { purpose, mailed }: Link): User {
  // The link for a new address is only in the mail to that address.
  if (!user.unconfirmed || !(mailed || purpose === 'email')) return user
  const { unconfirmed: _, ...confirmed } = user
  return purpose === 'recovery' ? { ...confirmed, factors: noFactors } : confirmed
}

/** Adds the partner of an invitation to an existing user of partners. */
function joinPartner(user: User, link: Link): LinkTarget | AdminFault {
  const { partnerId } = link
  if (user.state !== 'active') return adminFault('link_ended', [], { reason: 'unknown' })
  if (partnerId === undefined) return adminFault('user_exists', ['email'], { user: user.id })
  if (user.staffRole !== undefined) return adminFault('role_conflict', ['email'], { user: user.id })
  const others = user.memberships.filter(other => other.partnerId !== partnerId)
  return {
    change: openedBy({ ...user, memberships: [...others, ...rolesOf(link.role!, partnerId).memberships] }, link),
  }
}
