import type { CredentialStore } from './credentials.ts'
import type { LinkStore, SessionStore, SignInStore } from './session.ts'
import type { UserStore } from './user.ts'

/** The stores of people who sign in. */
export interface People {
  readonly users: UserStore
  readonly credentials: CredentialStore
  readonly sessions: SessionStore
  readonly links: LinkStore
  readonly signIns: SignInStore
  /** Removes sessions and links that have ended, and expired sign-ins. */
  prune(ended: {
    readonly seenBeforeMs: number
    readonly createdBeforeMs: number
    readonly nowMs: number
  }): Promise<void>
  /** Ends all sessions, links and open sign-ins, as after a restore. */
  signOutEverybody(): Promise<void>
}
