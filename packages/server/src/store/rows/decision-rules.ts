import { createHmac, type KeyObject } from 'node:crypto'
import type { Id } from '../../domain/id.ts'

/** Decisions about reviews, users and photos; imports read them to keep out what is hidden or erased. */
export interface Decisions {
  /** Returns false if no decision exists, so that lookups can be skipped. */
  exist(): boolean
  findState(id: Id): 'hidden' | 'erased' | undefined
  isErasedKey(source: string, sourceId: string): boolean
  isErasedUser(userKey: string): boolean
  isErasedPhoto(photoId: string): boolean
  hide(id: Id, atMs: number, reason: string | undefined): void
  erase(id: Id, atMs: number): void
  clearState(id: Id): void
  eraseKey(source: string, sourceId: string, atMs: number): void
  /** Returns false if the user was erased before. */
  eraseUser(userKey: string, atMs: number): boolean
  erasePhoto(photoId: string, atMs: number): void
}

/** The stored decisions. */
export interface DecisionRows {
  exist(): boolean
  findState(id: Id): 'hidden' | 'erased' | undefined
  setState(id: Id, state: 'hidden' | 'erased', atMs: number, reason: string | null): void
  clearState(id: Id): void
  hasDigest(digest: Buffer): boolean
  /** Returns false if the digest was stored before. */
  addDigest(digest: Buffer, atMs: number): boolean
}

/** Returns the digests under which erased reviews, users and photos are stored. */
export const erasureDigests = (pepper: KeyObject) => {
  const digest = (...parts: readonly string[]) => createHmac('sha256', pepper).update(JSON.stringify(parts)).digest()
  return {
    ofKey: (source: string, sourceId: string) => digest('erased review', source, sourceId),
    ofUser: (userKey: string) => digest('erased user', userKey),
    ofPhoto: (photoId: string) => digest('erased photo', photoId),
  }
}

/**
 * Creates the decisions. External keys of erased reviews, erased users and ids of erased photos are stored only as
 * HMAC-SHA-256 under the pepper.
 */
export function createDecisions(rows: DecisionRows, pepper: KeyObject): Decisions {
  const { ofKey, ofUser, ofPhoto } = erasureDigests(pepper)
  return {
    exist: () => rows.exist(),
    findState: id => rows.findState(id),
    isErasedKey: (source, sourceId) => rows.hasDigest(ofKey(source, sourceId)),
    isErasedUser: userKey => rows.hasDigest(ofUser(userKey)),
    isErasedPhoto: photoId => rows.hasDigest(ofPhoto(photoId)),
    hide: (id, atMs, reason) => rows.setState(id, 'hidden', atMs, reason ?? null),
    erase: (id, atMs) => rows.setState(id, 'erased', atMs, null),
    clearState: id => rows.clearState(id),
    eraseKey: (source, sourceId, atMs) => void rows.addDigest(ofKey(source, sourceId), atMs),
    eraseUser: (userKey, atMs) => rows.addDigest(ofUser(userKey), atMs),
    erasePhoto: (photoId, atMs) => void rows.addDigest(ofPhoto(photoId), atMs),
  }
}
