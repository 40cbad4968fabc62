import type { Session } from '../domain/session.ts'

/** Ends of sessions, in milliseconds. */
export interface SessionTerms {
  /** Time without a request. */
  readonly idleMs: number
  /** Time since the sign-in. */
  readonly maxMs: number
}

/** Time for which a proof counts, in milliseconds. */
export const proofMs = 10 * 60_000

/** Minimum time between two writes of the last request of a session, in milliseconds. */
export const seenEveryMs = 60_000

/** Returns the time at which a session ends if no other request comes. */
export const sessionEndMs = ({ seenMs, createdMs }: Session, { idleMs, maxMs }: SessionTerms): number =>
  Math.min(seenMs + idleMs, createdMs + maxMs)

/** Returns true if the user has proved recently that they are the owner of the session. */
export const isProved = ({ provedMs }: Session, nowMs: number): boolean =>
  provedMs !== undefined && nowMs - provedMs < proofMs
