import type { ChangeRecord } from './change-record.ts'
import type { User } from './user.ts'

/** A signed-in browser. The store has the digest of its token only. */
export interface Session {
  /** Names the session in lists; not a secret. */
  readonly id: string
  readonly userId: string
  readonly createdMs: number
  /** Time of the last request, to the minute. */
  readonly seenMs: number
  /** Time of the last proof: password, passkey, link or provider. */
  readonly provedMs?: number
  /** Network address of the sign-in. */
  readonly address?: string
  /** User agent of the sign-in. */
  readonly agent?: string
}

/** The sessions to end: one, those of a user with at most one exception, or all. */
export type EndedSessions =
  | { readonly id: string }
  | { readonly userId: string; readonly exceptId?: string }
  | { readonly all: true }

/** Sessions of people. Every change is on disk before its promise resolves. */
export interface SessionStore {
  /** Stores a session and the time of the sign-in. */
  create(session: Session, digest: Buffer, record: ChangeRecord): Promise<void>
  /** Returns the session and its user; undefined if it does not exist or the user is disabled. */
  byDigest(digest: Buffer): Promise<{ readonly session: Session; readonly user: User } | undefined>
  get(id: string): Promise<Session | undefined>
  /** Stores the time of the last request, and of the last proof if there is one. */
  seen(id: string, times: { readonly seenMs: number; readonly provedMs?: number }): Promise<void>
  /** Returns all sessions, or those of a user, newest first. */
  list(userId?: string): Promise<Session[]>
  /** Ends sessions and returns their number; writes the record if there was one. */
  end(which: EndedSessions, record: ChangeRecord): Promise<number>
}

/** The ways in which a link is used. `demo` works any number of times. */
export type LinkPurpose = 'invitation' | 'owner' | 'recovery' | 'email' | 'demo'

/** A link that is sent or printed. The store has the digest of its token only. */
export interface Link {
  readonly purpose: LinkPurpose
  /** The user who opens it; missing if opening it creates the user. */
  readonly userId?: string
  /** E-mail address of the new user; for `email`, the new address. */
  readonly email?: string
  /** Role of the new user, at `partnerId` if there is one. */
  readonly role?: string
  readonly partnerId?: string
  readonly createdMs: number
  readonly expiresMs: number
  readonly usedMs?: number
  /** True if an SMTP server accepted the mail with the link. Missing: the link was shown to its maker. */
  readonly mailed?: true
}

/** Change that opening a link makes; written with the session in one transaction. */
export interface LinkUse {
  readonly digest: Buffer
  readonly nowMs: number
  readonly user: { readonly create: User } | { readonly change: User }
  /** PHC string of the new password. */
  readonly password?: string
  /** Removes all credentials, sessions and other links that the user has had so far. */
  readonly removesCredentials?: boolean
  /** Missing if a second factor must be shown first. */
  readonly session?: { readonly session: Session; readonly digest: Buffer }
}

/** Links. Every change is on disk before its promise resolves. */
export interface LinkStore {
  /** Stores a link; earlier unused links of the same purpose and person end. */
  add(link: Link, digest: Buffer, record: ChangeRecord): Promise<void>
  byDigest(digest: Buffer): Promise<Link | undefined>
  /** Stores that a link was sent by mail. */
  mailed(digest: Buffer): Promise<void>
  /** Returns the newest open invitation of an e-mail address. */
  invitationOf(email: string, nowMs: number): Promise<{ readonly link: Link; readonly digest: Buffer } | undefined>
  /** Returns the open invitations of a partner, or of staff, oldest first. */
  invitations(partnerId: string | undefined, nowMs: number): Promise<Link[]>
  /** Ends the open invitations of an e-mail address to a partner, or to staff; false if none was open. */
  endInvitation(email: string, partnerId: string | undefined, record: ChangeRecord): Promise<boolean>
  /**
   * Marks a link as used and changes its user; false, with nothing changed, if it was used, has expired, or the user
   * changed meanwhile.
   */
  use(use: LinkUse, record: ChangeRecord): Promise<boolean>
  /** Ends the links of a purpose. */
  end(purpose: LinkPurpose): Promise<void>
}

/** The kinds of open sign-ins; `page` is a page that the next request of a session shows. */
export type SignInKind = 'second_factor' | 'passkey' | 'new_passkey' | 'new_totp' | 'oidc' | 'page'

/** A step of a sign-in or a page that waits for the next request. The store has the digest of its token only. */
export interface OpenSignIn {
  readonly kind: SignInKind
  /** JSON of the kind. */
  readonly data: string
  readonly expiresMs: number
}

/** Open sign-ins. */
export interface SignInStore {
  /** Stores an open sign-in and removes those that have expired. */
  add(signIn: OpenSignIn, digest: Buffer, nowMs: number): Promise<void>
  get(digest: Buffer, kind: SignInKind, nowMs: number): Promise<OpenSignIn | undefined>
  /** Returns an open sign-in and removes it, so that it works once. */
  take(digest: Buffer, kind: SignInKind, nowMs: number): Promise<OpenSignIn | undefined>
}
