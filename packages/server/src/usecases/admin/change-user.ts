import { isDeepStrictEqual } from 'node:util'
import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { Membership, User, UserChange } from '../../domain/user.ts'
import { checkTexts } from './check-texts.ts'
import { findManagedUser, findUser, type Identity, reaches, reachOf } from './identity.ts'
import { checkRole, rolesOf } from './invite-user.ts'
import { withinPartner } from './list-users.ts'
import { recordOf } from './record.ts'

/** A change of a user, based on the revision that the caller read. */
export interface UserUpdate {
  /** Id or e-mail address. */
  readonly id: string
  readonly expectedRevision: number
  readonly change: Pick<UserChange, 'name' | 'zone' | 'mails' | 'state'> & { readonly staffRole?: string }
}

/**
 * Changes name, time zone, mails, state or staff role. People change their own name, zone and mails; managers change
 * the rest.
 */
export async function changeUser(
  stores: Identity,
  actor: Actor,
  { id, expectedRevision, change }: UserUpdate,
): Promise<User | AdminFault> {
  const { name, zone, staffRole } = change
  const fault =
    checkTexts({ name }) ?? checkZone(zone) ?? (staffRole === undefined ? undefined : checkRole(staffRole, undefined))
  if (fault) return fault
  const isOwn = actor.kind === 'user' && actor.id === id && change.state === undefined && staffRole === undefined
  const before = isOwn ? await findUser(stores, actor, id) : await findManagedUser(stores, actor, id)
  if (isAdminFault(before)) return before
  if (staffRole !== undefined) {
    if (before.memberships.length > 0) return adminFault('role_conflict', ['role'], { user: before.id })
    if (!(await reachOf(stores, actor)).staff) return adminFault('not_permitted', [], { permission: 'users:write' })
  }
  return storeChange(stores, actor, before, { expectedRevision, change: change as UserChange })
}

/** A role of a user at a partner; without `role`, the user leaves the partner. */
export interface MembershipUpdate {
  readonly id: string
  readonly expectedRevision: number
  readonly partnerId: string
  readonly role?: string
}

/** Changes the role of a user at a partner, or removes the user from it. */
export async function changeMembership(
  stores: Identity,
  actor: Actor,
  { id, expectedRevision, partnerId, role }: MembershipUpdate,
): Promise<User | AdminFault> {
  const fault = role === undefined ? undefined : checkRole(role, partnerId)
  if (fault) return fault
  const before = await findUser(stores, actor, id)
  if (isAdminFault(before)) return before
  if (!reaches(await reachOf(stores, actor), partnerId))
    return adminFault('not_permitted', [], { permission: 'users:write' })
  if (before.staffRole !== undefined) return adminFault('role_conflict', ['role'], { user: before.id })
  if (!(await stores.keys.partner(partnerId, { all: true })))
    return adminFault('partner_unknown', ['partner_id'], { partner: partnerId })
  const others = before.memberships.filter(other => other.partnerId !== partnerId)
  const own: readonly Membership[] = role === undefined ? [] : rolesOf(role, partnerId).memberships
  const memberships = [...others, ...own].sort((a, b) => (a.partnerId < b.partnerId ? -1 : 1))
  return storeChange(stores, actor, before, { expectedRevision, change: { memberships } }, partnerId)
}

async function storeChange(
  stores: Identity,
  actor: Actor,
  before: User,
  { expectedRevision, change }: { readonly expectedRevision: number; readonly change: UserChange },
  partnerId?: string,
): Promise<User | AdminFault> {
  const { id } = before
  const entries = Object.entries(change).filter(([, value]) => value !== undefined)
  const current: Readonly<Record<string, unknown>> = { ...before }
  const differs = entries.some(([name, value]) => !isDeepStrictEqual(current[name] ?? null, value))
  if (before.revision === expectedRevision && !differs) return before
  const after: User = { ...before, ...Object.fromEntries(entries) }
  // The partner reads the line in its activity, where other partners of the user must not appear.
  const [from, to] =
    partnerId === undefined ? [before, after] : [before, after].map(one => withinPartner(one, partnerId))
  const record = recordOf(stores.clock, actor, {
    action: 'user.change',
    target: id,
    partnerId,
    before: from,
    after: to,
  })
  // An invitation can end unused, which the users of the partner could not undo, but staff can.
  const invitedAtMs = actor.partnerId === undefined ? stores.clock.nowMs() : undefined
  const outcome = await stores.people.users.update(id, expectedRevision, change, record, invitedAtMs)
  if (outcome === 'last_admin')
    return adminFault('last_admin', [change.state === undefined ? 'role' : 'state'], {
      user: id,
      canInvite: invitedAtMs !== undefined,
    })
  if (outcome === 'last_owner') return adminFault('last_owner', ['role'], { user: id })
  if (typeof outcome !== 'string') return outcome
  const revision = (await stores.people.users.get(id))?.revision ?? expectedRevision
  return adminFault('changed_meanwhile', [], { resource: 'user', id, expectedRevision, revision })
}

function checkZone(zone: string | null | undefined): AdminFault | undefined {
  if (zone === undefined || zone === null) return undefined
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return undefined
  } catch {
    return adminFault('time_zone_unknown', ['zone'], { timeZone: zone })
  }
}
