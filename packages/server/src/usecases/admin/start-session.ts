import type { Session } from '../../domain/session.ts'
import type { User } from '../../domain/user.ts'
import { type Browser, type Identity, userActor } from './identity.ts'
import { recordOf } from './record.ts'

/** A new session with its token, which only its creation returns. */
export interface StartedSession {
  readonly session: Session
  readonly token: string
  readonly user: User
}

const maxAgentLength = 200

/** Returns a new session and its token, without storing it. With `isProof`, the sign-in counts as proof. */
export function newSession(stores: Identity, user: User, { address, agent }: Browser, isProof = true): StartedSession {
  const nowMs = stores.clock.nowMs()
  const session: Session = {
    id: stores.newId('session'),
    userId: user.id,
    createdMs: nowMs,
    seenMs: nowMs,
    address,
    ...(isProof && { provedMs: nowMs }),
    ...(agent !== undefined && { agent: agent.slice(0, maxAgentLength) }),
  }
  return { session, token: stores.opaque.create(), user }
}

/** Starts a session of a user who has signed in by `way`, and forgets the failed attempts. */
export async function startSession(
  stores: Identity,
  user: User,
  browser: Browser,
  way: 'password' | 'second_factor' | 'passkey' | 'oidc',
): Promise<StartedSession> {
  const started = newSession(stores, user, browser)
  const { id } = started.session
  const record = recordOf(stores.clock, userActor(user, browser), {
    action: 'session.create',
    target: user.id,
    after: { session: id, way },
  })
  await stores.people.sessions.create(started.session, stores.opaque.digest(started.token), record)
  return started
}
