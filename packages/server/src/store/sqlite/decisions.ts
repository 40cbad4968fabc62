import { createHmac, type KeyObject } from 'node:crypto'
import type { Id } from '../../domain/id.ts'
import type { Sqlite } from '../connection.ts'

/** Decisions about reviews and users in control.sqlite; imports read them to keep hidden and erased reviews out. */
export interface Decisions {
  /** Returns false if no decision exists, so that lookups can be skipped. */
  exist(): boolean
  findState(id: Id): 'hidden' | 'erased' | undefined
  isErasedKey(source: string, sourceId: string): boolean
  isErasedUser(userKey: string): boolean
  hide(id: Id, atMs: number, reason: string | undefined): void
  erase(id: Id, atMs: number): void
  clearState(id: Id): void
  eraseKey(source: string, sourceId: string, atMs: number): void
  /** Returns false if the user was erased before. */
  eraseUser(userKey: string, atMs: number): boolean
}

/**
 * Opens the decisions. External keys of erased reviews and erased users are stored only as HMAC-SHA-256 under the
 * pepper.
 */
export function createSqliteDecisions(control: Sqlite, pepper: KeyObject): Decisions {
  const any = control
    .prepare('SELECT EXISTS (SELECT 1 FROM moderated_reviews) OR EXISTS (SELECT 1 FROM erasures)')
    .pluck()
  const stateOf = control.prepare<[Id], 'hidden' | 'erased'>('SELECT state FROM moderated_reviews WHERE id = ?').pluck()
  const set = control.prepare('INSERT OR REPLACE INTO moderated_reviews (id, state, at_ms, reason) VALUES (?, ?, ?, ?)')
  const unset = control.prepare('DELETE FROM moderated_reviews WHERE id = ?')
  const known = control.prepare<[Buffer], 1>('SELECT 1 FROM erasures WHERE digest = ?').pluck()
  const erase = control.prepare('INSERT OR IGNORE INTO erasures (digest, at_ms) VALUES (?, ?)')

  const digest = (...parts: readonly string[]) => createHmac('sha256', pepper).update(JSON.stringify(parts)).digest()
  const ofKey = (source: string, sourceId: string) => digest('erased review', source, sourceId)
  const ofUser = (userKey: string) => digest('erased user', userKey)

  return {
    exist: () => any.get() === 1,
    findState: id => stateOf.get(id),
    isErasedKey: (source, sourceId) => known.get(ofKey(source, sourceId)) !== undefined,
    isErasedUser: userKey => known.get(ofUser(userKey)) !== undefined,
    hide: (id, atMs, reason) => void set.run(id, 'hidden', atMs, reason ?? null),
    erase: (id, atMs) => void set.run(id, 'erased', atMs, null),
    clearState: id => void unset.run(id),
    eraseKey: (source, sourceId, atMs) => void erase.run(ofKey(source, sourceId), atMs),
    eraseUser: (userKey, atMs) => erase.run(ofUser(userKey), atMs).changes === 1,
  }
}
