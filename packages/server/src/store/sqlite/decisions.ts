import type { KeyObject } from 'node:crypto'
import type { Id } from '../../domain/id.ts'
import type { Sqlite } from '../connection.ts'
import { createDecisions, type Decisions } from '../rows/decision-rules.ts'

/** Opens the decisions in control.sqlite. */
export function createSqliteDecisions(control: Sqlite, pepper: KeyObject): Decisions {
  const any = control
    .prepare('SELECT EXISTS (SELECT 1 FROM moderated_reviews) OR EXISTS (SELECT 1 FROM erasures)')
    .pluck()
  const stateOf = control.prepare<[Id], 'hidden' | 'erased'>('SELECT state FROM moderated_reviews WHERE id = ?').pluck()
  const set = control.prepare('INSERT OR REPLACE INTO moderated_reviews (id, state, at_ms, reason) VALUES (?, ?, ?, ?)')
  const unset = control.prepare('DELETE FROM moderated_reviews WHERE id = ?')
  const known = control.prepare<[Buffer], 1>('SELECT 1 FROM erasures WHERE digest = ?').pluck()
  const add = control.prepare('INSERT OR IGNORE INTO erasures (digest, at_ms) VALUES (?, ?)')
  const rows = {
    exist: () => any.get() === 1,
    findState: (id: Id) => stateOf.get(id),
    setState: (id: Id, state: 'hidden' | 'erased', atMs: number, reason: string | null) =>
      void set.run(id, state, atMs, reason),
    clearState: (id: Id) => void unset.run(id),
    hasDigest: (digest: Buffer) => known.get(digest) !== undefined,
    addDigest: (digest: Buffer, atMs: number) => add.run(digest, atMs).changes === 1,
  }
  return createDecisions(rows, pepper)
}
