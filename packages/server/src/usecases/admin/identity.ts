import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import type { StaffRole } from '../../domain/admin-permission.ts'
import type { KeyAdmin } from '../../domain/key-stores.ts'
import type { People } from '../../domain/people.ts'
import type { User } from '../../domain/user.ts'
import { mayManageUser } from '../../identity/permissions.ts'
import type { SessionTerms } from '../../identity/sessions.ts'
import type { Throttle } from '../../identity/throttle.ts'
import type { Clock } from '../../kit/clock.ts'
import type { SecretBox } from '../../kit/secret-box.ts'

/** Dependencies of the use cases of people who sign in. */
export interface Identity {
  readonly people: People
  readonly keys: Pick<KeyAdmin, 'partner'>
  readonly clock: Clock
  readonly terms: SessionTerms
  readonly throttle: Throttle
  /** Creates and digests the tokens of sessions, links and open sign-ins. */
  readonly opaque: { create(): string; digest(token: string): Buffer }
  /** Encrypts the secrets of authenticator apps. */
  readonly totpBox: SecretBox
  readonly codes: { create(): string[]; digest(code: string): Buffer }
  newId(kind: 'user' | 'session'): string
}

/** The browser that a request comes from. */
export interface Browser {
  readonly requestId: string
  readonly address: string
  readonly agent?: string
}

/** Returns the actor that a user is. */
export const userActor = (user: User, { requestId, address }: Pick<Browser, 'requestId' | 'address'>): Actor => ({
  kind: 'user',
  id: user.id,
  via: 'portal',
  requestId,
  address,
})

/** The users that an actor may invite, change, disable and erase. */
export interface Reach {
  readonly staff: boolean
  /** All partners, or the ids of some. */
  readonly partners: 'all' | readonly string[]
}

/** Returns the users that an actor may manage. Commands and the system may manage all, tokens nobody. */
export async function reachOf({ people }: Pick<Identity, 'people'>, actor: Actor): Promise<Reach> {
  if (actor.kind === 'token') return { staff: false, partners: [] }
  if (actor.kind !== 'user') return { staff: true, partners: 'all' }
  const user = await people.users.get(actor.id)
  const role = user?.state === 'active' ? user.staffRole : undefined
  if (role !== undefined) return reachOfStaff(role)
  const admins = (user?.state === 'active' ? user.memberships : []).filter(({ role }) => role === 'admin')
  return { staff: false, partners: admins.map(({ partnerId }) => partnerId) }
}

const reachOfStaff = (role: StaffRole): Reach => ({
  staff: mayManageUser(role, 'staff'),
  partners: mayManageUser(role, 'partner') ? 'all' : [],
})

/** Returns true if an actor may manage users of a partner, or staff. */
export const reaches = ({ staff, partners }: Reach, partnerId: string | undefined): boolean =>
  partnerId === undefined ? staff : partners === 'all' || partners.includes(partnerId)

/** Finds a user by id or e-mail address. A partner's users are unknown to actors of other partners. */
export async function findUser(
  { people }: Pick<Identity, 'people'>,
  actor: Actor,
  idOrEmail: string,
): Promise<User | AdminFault> {
  const user = idOrEmail.includes('@')
    ? await people.users.byEmail(toEmail(idOrEmail))
    : await people.users.get(idOrEmail)
  const unknown = adminFault('user_unknown', ['id'], { user: idOrEmail })
  if (!user) return unknown
  const { partnerId } = actor
  if (partnerId !== undefined && !user.memberships.some(membership => membership.partnerId === partnerId))
    return unknown
  return user
}

/** Finds a user that the actor may change as a whole. */
export async function findManagedUser(stores: Identity, actor: Actor, idOrEmail: string): Promise<User | AdminFault> {
  const reach = await reachOf(stores, actor)
  const user = await findUser(stores, actor, idOrEmail)
  if ('fault' in user) return user
  const managed = user.memberships.length === 0 ? reach.staff : reach.partners === 'all'
  return managed ? user : adminFault('not_permitted', [], { permission: 'users:write' })
}

/** Returns an e-mail address in the form in which it is stored. */
export const toEmail = (text: string): string => text.trim().normalize('NFC').toLowerCase()

/** Returns the fault of a text that is not an e-mail address. */
export const checkEmail = (email: string): AdminFault | undefined =>
  email.length <= 254 && /^[^\s@<>"(),:;]+@[^\s@<>"(),:;]+$/.test(email)
    ? undefined
    : adminFault('email_invalid', ['email'], { email })
