import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { EndedSessions, Session } from '../../domain/session.ts'
import { sessionEndMs } from '../../identity/sessions.ts'
import { findManagedUser, findUser, type Identity } from './identity.ts'
import { recordOf } from './record.ts'

/** Returns the open sessions of all users, or of one, newest first. Users of partners see their own alone. */
export async function listSessions(
  stores: Identity,
  actor: Actor,
  { user: idOrEmail }: { readonly user?: string | undefined },
): Promise<readonly Session[] | AdminFault> {
  const user = idOrEmail === undefined ? undefined : await findUser(stores, actor, idOrEmail)
  if (user && isAdminFault(user)) return user
  const all = await stores.people.sessions.list(user?.id)
  const nowMs = stores.clock.nowMs()
  const open = all.filter(session => nowMs < sessionEndMs(session, stores.terms))
  return actor.partnerId === undefined ? open : open.filter(({ userId }) => userId === actor.id)
}

/** The sessions that `endSessions` ends. `user` is an id or e-mail address; `exceptId` stays open. */
export type EndingSessions =
  | { readonly id: string }
  | { readonly user: string; readonly exceptId?: string }
  | { readonly all: true }

/** Ends sessions; their next request is refused. People end their own, managers those of others. */
export async function endSessions(
  stores: Identity,
  actor: Actor,
  which: EndingSessions,
): Promise<{ readonly ended: number } | AdminFault> {
  const resolved = await resolveSessions(stores, actor, which)
  if (isAdminFault(resolved)) return resolved
  const { sessions, target } = resolved
  const record = recordOf(stores.clock, actor, { action: 'session.end', target })
  return { ended: await stores.people.sessions.end(sessions, record) }
}

type Resolved = { readonly sessions: EndedSessions; readonly target: string }

async function resolveSessions(stores: Identity, actor: Actor, which: EndingSessions): Promise<Resolved | AdminFault> {
  if ('all' in which) {
    const isTrusted = actor.kind === 'cli' || actor.kind === 'system'
    return isTrusted
      ? { sessions: { all: true }, target: 'all' }
      : adminFault('not_permitted', [], { permission: 'users:write' })
  }
  const isSingle = 'id' in which
  const session = isSingle ? await stores.people.sessions.get(which.id) : undefined
  if (isSingle && !session) return adminFault('session_unknown', ['id'], { session: which.id })
  const holder = isSingle ? session!.userId : which.user
  if (actor.kind !== 'user' || actor.id !== holder) {
    const user = await findManagedUser(stores, actor, holder)
    if (isAdminFault(user)) return isSingle ? adminFault('session_unknown', ['id'], { session: which.id }) : user
    if (!isSingle) return { sessions: { ...which, userId: user.id }, target: user.id }
  }
  return isSingle
    ? { sessions: which, target: holder }
    : {
        sessions: { userId: holder, ...(which.exceptId !== undefined && { exceptId: which.exceptId }) },
        target: holder,
      }
}
