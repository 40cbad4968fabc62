import type { PartnerRole, StaffRole } from './admin-permission.ts'
import type { ChangeRecord } from './change-record.ts'
import type { EventType } from './event.ts'

/** A role at a partner. */
export interface Membership {
  readonly partnerId: string
  readonly role: PartnerRole
}

/** A person who signs in: staff, or a user of partners, never both. */
export interface User {
  readonly id: string
  /** In lower case; unique. */
  readonly email: string
  readonly name?: string
  readonly staffRole?: StaffRole
  readonly memberships: readonly Membership[]
  /** Time zone of the pages. */
  readonly zone?: string
  /** Events whose mails the user has switched off (false) or on again. */
  readonly mails?: MailChoices
  readonly state: 'active' | 'disabled'
  /** True until the user has shown that the mailbox is theirs. Missing: confirmed. */
  readonly unconfirmed?: true
  readonly factors: Factors
  readonly createdMs: number
  readonly lastSignInMs?: number
  /** Counts the changes of the user, from 1. */
  readonly revision: number
}

/** Choices of a user about mails, by type of event; a missing type is mailed. */
export type MailChoices = Readonly<Partial<Record<EventType, boolean>>>

/** The ways in which a user can sign in. */
export interface Factors {
  readonly password: boolean
  readonly totp: boolean
  readonly passkeys: number
  readonly recoveryCodes: number
  readonly oidc: boolean
}

/** The factors of a new user. */
export const noFactors: Factors = { password: false, totp: false, passkeys: 0, recoveryCodes: 0, oidc: false }

/** Changes of a user; a missing member stays, null removes it. */
export interface UserChange {
  readonly email?: string
  readonly name?: string | null
  readonly staffRole?: StaffRole | null
  readonly memberships?: readonly Membership[]
  readonly zone?: string | null
  readonly mails?: MailChoices
  readonly state?: 'active' | 'disabled'
}

/**
 * Reason why a change of a user was refused; nothing was changed. `last_owner`, `last_admin`: no active
 * owner or admin would remain.
 */
export type UserRefusal = 'changed_meanwhile' | 'last_owner' | 'last_admin' | 'email_used'

/** People who sign in. Every change is on disk before its promise resolves. */
export interface UserStore {
  get(id: string): Promise<User | undefined>
  byEmail(email: string): Promise<User | undefined>
  byOidcSub(sub: string): Promise<User | undefined>
  /** Returns all users, or those of a partner, oldest first. */
  list(partnerId?: string): Promise<User[]>
  hasOwner(): Promise<boolean>
  /** Stores a user; false, with nothing changed, if the e-mail address is in use. */
  create(user: User, record: ChangeRecord): Promise<boolean>
  /**
   * Changes a user from a revision; ends the user's sessions if a role or the state changes. Refuses to leave an open
   * partner without an active admin; with `invitedAtMs`, an invitation of an admin that is valid then counts as one.
   */
  update(
    id: string,
    expectedRevision: number,
    change: UserChange,
    record: ChangeRecord,
    invitedAtMs?: number,
  ): Promise<User | UserRefusal>
  /** Removes a user with sessions, links and credentials. */
  erase(id: string, record: ChangeRecord): Promise<'erased' | 'unknown' | 'last_owner'>
}
