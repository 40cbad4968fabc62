import type { Agreement } from '../../domain/agreement.ts'
import type { FeedPins } from '../../domain/feed.ts'
import type { Key, KeyState } from '../../domain/key.ts'
import type { PackageName, Permission } from '../../domain/package.ts'
import type { Scope } from '../../domain/scope.ts'
import { get, type JsonColumns, run, type SqlWork } from './database.ts'

/** A row of the table of keys. */
export interface KeyRow {
  id: string
  partner_id: string
  name: string | null
  test: number
  package: string
  add_ons: string
  agreement: string
  scope: string
  feed_pins: string
  state: string
  notes: string | null
  expires_ms: number | null
  networks: string | null
  created_ms: number
  revision: number
  last_used_day: string | null
  last_used_version: string | null
}

/** Converts a row to a key. */
export const keyOf = (db: JsonColumns, row: KeyRow): Key => ({
  id: row.id,
  partnerId: row.partner_id,
  ...(row.name !== null && { name: row.name }),
  test: row.test === 1,
  packageName: row.package as PackageName,
  addOns: db.parseJson<Permission[]>(row.add_ons),
  agreement: db.parseJson<Agreement>(row.agreement),
  scope: db.parseJson<Scope>(row.scope),
  feedPins: db.parseJson<FeedPins>(row.feed_pins),
  state: row.state as KeyState,
  ...(row.notes !== null && { notes: row.notes }),
  ...(row.expires_ms !== null && { expiresMs: row.expires_ms }),
  ...(row.networks !== null && { networks: db.parseJson<string[]>(row.networks) }),
  createdMs: row.created_ms,
  ...(row.last_used_day !== null && { lastUse: { day: row.last_used_day, version: row.last_used_version! } }),
  revision: row.revision,
})

/** Reads a key. */
export const readKey = (id: string): SqlWork<KeyRow | undefined> => get('SELECT * FROM keys WHERE id = @id', { id })

/** Stores a changed key; returns undefined if its revision is not the expected one. Part of a transaction. */
export function* swapKey(
  db: JsonColumns,
  id: string,
  expectedRevision: number,
  change: (key: Key) => Key,
): SqlWork<Key | undefined> {
  const row = yield* readKey(id)
  if (row?.revision !== expectedRevision) return undefined
  yield* run(
    `UPDATE keys SET name = @name, package = @package, add_ons = @addOns, agreement = @agreement, scope = @scope,
       feed_pins = @feedPins, state = @state, notes = @notes, expires_ms = @expiresMs, networks = @networks,
       revision = revision + 1
     WHERE id = @id AND revision = @revision`,
    keyColumns(change(keyOf(db, row))),
  )
  return keyOf(db, (yield* readKey(id))!)
}

/** Converts a key to the columns that changes write. */
export const keyColumns = (k: Key) => ({
  id: k.id,
  partnerId: k.partnerId,
  name: k.name ?? null,
  test: k.test ? 1 : 0,
  package: k.packageName,
  addOns: JSON.stringify(k.addOns),
  agreement: JSON.stringify(k.agreement),
  scope: JSON.stringify(k.scope),
  feedPins: JSON.stringify(k.feedPins),
  state: k.state,
  notes: k.notes ?? null,
  expiresMs: k.expiresMs ?? null,
  networks: k.networks ? JSON.stringify(k.networks) : null,
  createdMs: k.createdMs,
  revision: k.revision,
})
