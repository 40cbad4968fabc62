import type { ChangeRecord } from './change-record.ts'

/** The secrets of a user, as they are stored. */
export interface Credentials {
  /** PHC string. */
  readonly password?: string
  /** Encrypted. */
  readonly totp?: Buffer
}

/** Changes of the secrets of a user; null removes a member. */
export interface CredentialChange {
  readonly password?: string
  /** `step`: the last time step whose code was used. */
  readonly totp?: { readonly secret: Buffer; readonly step: number } | null
  readonly oidcSub?: string | null
  /**
   * The user has shown the mailbox for the first time: everything that the user had so far is removed before the
   * change.
   */
  readonly confirmsEmail?: boolean
  /** Replaces all recovery codes. */
  readonly recoveryCodes?: readonly Buffer[]
}

/** A passkey of a user. */
export interface Passkey {
  /** Credential id, base64url. */
  readonly id: string
  readonly userId: string
  readonly publicKey: Buffer
  readonly counter: number
  readonly name: string
  readonly createdMs: number
}

/** Passwords, second factors and passkeys. Every change is on disk before its promise resolves. */
export interface CredentialStore {
  get(userId: string): Promise<Credentials | undefined>
  change(userId: string, change: CredentialChange, record: ChangeRecord): Promise<void>
  /** Removes TOTP, recovery codes, passkeys and all sessions of a user. */
  reset(userId: string, record: ChangeRecord): Promise<void>
  /** Stores the time step of a used code; false if the code of this step or of a later one was used. */
  useTotpStep(userId: string, step: number): Promise<boolean>
  /** Removes a recovery code; false if it does not exist. */
  useRecoveryCode(userId: string, digest: Buffer): Promise<boolean>
  /** Returns the passkeys of a user, oldest first. */
  passkeys(userId: string): Promise<Passkey[]>
  passkey(id: string): Promise<Passkey | undefined>
  /** Stores a passkey; false if its id is known. */
  addPasskey(passkey: Passkey, record: ChangeRecord): Promise<boolean>
  usedPasskey(id: string, counter: number): Promise<void>
  /** Removes a passkey; false if the user does not have it. */
  removePasskey(userId: string, id: string, record: ChangeRecord): Promise<boolean>
}
