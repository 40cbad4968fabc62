import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { Link } from '../../domain/session.ts'
import { noFactors, type User } from '../../domain/user.ts'
import { findManagedUser, type Identity } from './identity.ts'
import { type CreatedLink, linkMs } from './invite-user.ts'
import { recordOf } from './record.ts'

/**
 * Creates a link that makes the person who opens it an owner; earlier owner links end. Only for commands and the
 * system.
 */
export async function createOwnerLink(stores: Identity, actor: Actor): Promise<CreatedLink | AdminFault> {
  if (actor.kind === 'user' || actor.kind === 'token')
    return adminFault('not_permitted', [], { permission: 'users:write' })
  const createdMs = stores.clock.nowMs()
  const link: Link = { purpose: 'owner', role: 'owner', createdMs, expiresMs: createdMs + linkMs }
  return addLink(stores, actor, link, 'owner')
}

/**
 * Creates a link with which a user signs in and sets another password. With `reset`, the user loses second factors,
 * passkeys and sessions first.
 */
export async function createRecoveryLink(
  stores: Identity,
  actor: Actor,
  { user: idOrEmail, reset = false }: { readonly user: string; readonly reset?: boolean },
): Promise<CreatedLink | AdminFault> {
  const user = await findManagedUser(stores, actor, idOrEmail)
  if (isAdminFault(user)) return user
  if (reset) {
    const record = recordOf(stores.clock, actor, { action: 'user.reset', target: user.id })
    await stores.people.credentials.reset(user.id, record)
  }
  const createdMs = stores.clock.nowMs()
  const link: Link = { purpose: 'recovery', userId: user.id, createdMs, expiresMs: createdMs + linkMs }
  return addLink(stores, actor, link, user.id)
}

/**
 * Creates a link with which the people of the demo sign in, any number of times until `expiresMs`. It counts as proof.
 */
export async function createDemoLink(
  stores: Identity,
  actor: Actor,
  {
    person,
    expiresMs,
  }: { readonly person: Pick<User, 'email' | 'name' | 'staffRole' | 'memberships'>; readonly expiresMs: number },
): Promise<CreatedLink> {
  const createdMs = stores.clock.nowMs()
  const { users } = stores.people
  const user: User = (await users.byEmail(person.email)) ?? {
    ...person,
    id: stores.newId('user'),
    state: 'active',
    factors: noFactors,
    createdMs,
    revision: 1,
  }
  await users.create(user, recordOf(stores.clock, actor, { action: 'user.create', target: user.id }))
  return addLink(stores, actor, { purpose: 'demo', userId: user.id, createdMs, expiresMs }, user.id)
}

/** Stores a link and returns it with its token. */
export async function addLink(stores: Identity, actor: Actor, link: Link, target: string): Promise<CreatedLink> {
  const token = stores.opaque.create()
  const record = recordOf(stores.clock, actor, { action: 'link.create', target, after: { purpose: link.purpose } })
  await stores.people.links.add(link, stores.opaque.digest(token), record)
  return { link, token }
}
