import type { Session } from '../../domain/session.ts'
import type { User } from '../../domain/user.ts'
import { isOpaqueToken } from '../../identity/opaque-token.ts'
import { seenEveryMs, sessionEndMs } from '../../identity/sessions.ts'
import type { Identity } from './identity.ts'

/** Returns the session of a token and its user, read from the store with each request; undefined if it has ended. */
export async function readSession(
  stores: Pick<Identity, 'people' | 'clock' | 'terms' | 'opaque'>,
  token: string | undefined,
): Promise<{ readonly session: Session; readonly user: User } | undefined> {
  if (token === undefined || !isOpaqueToken(token)) return undefined
  const found = await stores.people.sessions.byDigest(stores.opaque.digest(token))
  const nowMs = stores.clock.nowMs()
  if (!found || nowMs >= sessionEndMs(found.session, stores.terms)) return undefined
  const { session } = found
  if (nowMs - session.seenMs >= seenEveryMs) await stores.people.sessions.seen(session.id, { seenMs: nowMs })
  return found
}
