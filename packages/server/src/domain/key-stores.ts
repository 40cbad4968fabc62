/** The stores of keys and partners. */
import type { ChangeRecord } from './change-record.ts'
import type { FeedPinChange } from './feed.ts'
import type { Key, KeyBySecret, KeyChange, KeyState } from './key.ts'
import type { KeySecret, NewSecret, StoredSecret } from './key-secret.ts'
import type { ListOrders, ListPart, ListSpan } from './list-order.ts'
import type { OwnKeyBounds, OwnKeyCounts, OwnKeyReason } from './own-key.ts'
import type { Partner, PartnerChange, PartnerNote, PartnerState } from './partner.ts'
import type { Visibility } from './visibility.ts'

/** Reads keys on the serving path. */
export interface KeyReader {
  /** Finds a key by the keyed digest of a presented secret. */
  bySecret(digest: Buffer): Promise<KeyBySecret | undefined>
  /** Returns a random number that every change of a key or partner replaces. */
  revision(): Promise<number>
}

/** The orders of partners: by creation, name, units since `unitsFromMs`, day of the last call, and state. */
export const partnerOrders = {
  first: { created: 'asc', name: 'asc', units: 'desc', last_call: 'desc', state: 'asc' },
  byDefault: { by: 'created', isDescending: false },
} as const satisfies ListOrders
export type PartnerOrder = keyof typeof partnerOrders.first

/** The orders of keys: by creation, name, partner, day of the last use, end, and state. */
export const keyOrders = {
  first: { created: 'asc', name: 'asc', partner: 'asc', last_used: 'desc', expires: 'asc', state: 'asc' },
  byDefault: { by: 'created', isDescending: false },
} as const satisfies ListOrders
export type KeyOrder = keyof typeof keyOrders.first

export interface PartnerFilter {
  readonly state?: PartnerState | undefined
  /** Part of the id, name, e-mail address or external reference, in any case. */
  readonly text?: string | undefined
}

/** Selects a part of the list of partners. */
export interface PartnerSpan extends PartnerFilter, ListSpan<PartnerOrder> {
  /** Start of the UTC day from which the order `units` counts, in milliseconds since 1970. */
  readonly unitsFromMs?: number | undefined
}

export interface KeyFilter {
  readonly partnerIds?: readonly string[] | undefined
  readonly states?: readonly KeyState[] | undefined
  readonly test?: boolean | undefined
}

/** Selects a part of the list of keys. */
export interface KeySpan extends KeyFilter, ListSpan<KeyOrder> {}

/** A penalty for early retries that an operator ended. */
export interface ForgivenPenalty {
  /** Grows with each forgiven penalty. */
  readonly number: number
  readonly keyId: string
  readonly atMs: number
}

/**
 * Maximum time until a process that serves follows a forgiven penalty, in milliseconds; strikes until then are forgiven
 * as well.
 */
export const followedWithinMs = 1000

/**
 * Keys and partners for the operator. Every change is on disk before its promise resolves. Changes compare and
 * swap: they resolve to undefined, with nothing changed, if the revision is no longer the expected one. What is not
 * visible is read as unknown. Each change writes its record in its transaction.
 */
export interface KeyAdmin extends KeyReader {
  /** Stores a partner; returns false, with nothing changed, if the id is in use. */
  createPartner(partner: Partner, record: ChangeRecord): Promise<boolean>
  partner(id: string, visibility: Visibility): Promise<Partner | undefined>
  /** Returns partners, oldest first. */
  partners(visibility: Visibility, filter?: PartnerFilter): Promise<Partner[]>
  /** Returns a part of the partners in an order. */
  partnerPart(visibility: Visibility, span: PartnerSpan): Promise<ListPart<Partner>>
  /** Changes a partner; `state: closed` also revokes its keys. */
  updatePartner(
    id: string,
    expectedRevision: number,
    change: PartnerChange,
    record: ChangeRecord,
  ): Promise<Partner | undefined>
  /** Adds a note about a partner that exists. */
  addNote(note: PartnerNote, record: ChangeRecord): Promise<void>
  /** Returns the notes about a partner, the newest first. */
  notes(partnerId: string): Promise<PartnerNote[]>
  /** Stores a key; returns false, with nothing changed, if its partner is closed. */
  createKey(key: Key, secret: StoredSecret, record: ChangeRecord): Promise<boolean>
  /** Stores a key of a partner within bounds, or returns the reason why nothing was changed. */
  createOwnKey(
    key: Key,
    secret: StoredSecret,
    bounds: OwnKeyBounds,
    record: ChangeRecord,
  ): Promise<'created' | 'partner_closed' | OwnKeyReason>
  /**
   * Adds a secret with an end to the explorer key of a partner, which is created or gets the package and scope of
   * `key`. Returns false, with nothing changed, if the partner is closed or the key is not active.
   */
  addExplorerSecret(
    key: Key,
    secret: StoredSecret & { readonly expiresMs: number },
    record: ChangeRecord,
  ): Promise<boolean>
  /** Returns the live or the test keys that a partner has. */
  ownKeys(partnerId: string, test: boolean, nowMs: number): Promise<OwnKeyCounts>
  /** Returns who last set the state of a key; the operator if that is not known any more. */
  stateSetBy(id: string): Promise<'partner' | 'operator'>
  /** Returns the end of a key as the operator last set it; undefined if the operator set none or removed it. */
  operatorEnd(id: string): Promise<number | undefined>
  key(id: string, visibility: Visibility): Promise<Key | undefined>
  /** Returns keys, oldest first, including revoked ones. */
  keys(visibility: Visibility, filter?: KeyFilter): Promise<Key[]>
  /** Returns a part of the keys in an order. */
  keyPart(visibility: Visibility, span: KeySpan): Promise<ListPart<Key>>
  updateKey(id: string, expectedRevision: number, change: KeyChange, record: ChangeRecord): Promise<Key | undefined>
  /** Changes the pin of one feed and records the change. */
  pinFeed(expectedRevision: number, change: FeedPinChange, record: ChangeRecord): Promise<Key | undefined>
  /** Returns the changes of a key's pins, oldest first. */
  feedPinChanges(id: string): Promise<FeedPinChange[]>
  /** Adds a secret; earlier secrets expire at `othersExpireMs`, or before if an earlier end was set. */
  addSecret(id: string, expectedRevision: number, secret: NewSecret, record: ChangeRecord): Promise<Key | undefined>
  /** Returns the secrets of a key, including ended ones, oldest first. */
  secrets(id: string): Promise<KeySecret[]>
  /** Ends a secret at `endMs`, or before if an earlier end was set. The secret must exist. */
  endSecret(
    id: string,
    expectedRevision: number,
    secret: { readonly id: string; readonly endMs: number },
    record: ChangeRecord,
  ): Promise<Key | undefined>
  /**
   * Records that the penalty of a key's subject ended; a process that keeps limits applies it within a second, or at
   * its start.
   */
  forgivePenalty(keyId: string, atMs: number, record: ChangeRecord): Promise<void>
  /** Returns the newest forgiven penalty of each key with a number above `after`, in the order of numbers. */
  forgivenPenalties(after: number): Promise<ForgivenPenalty[]>
}
