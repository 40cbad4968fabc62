import type { Agreement } from '../../domain/agreement.ts'
import type { FeedPins } from '../../domain/feed.ts'
import type { Key, KeyState } from '../../domain/key.ts'
import type { PackageName, Permission } from '../../domain/package.ts'
import type { Scope } from '../../domain/scope.ts'
import type { Sqlite } from '../connection.ts'

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
export const keyOf = (control: Sqlite, row: KeyRow): Key => ({
  id: row.id,
  partnerId: row.partner_id,
  ...(row.name !== null && { name: row.name }),
  test: row.test === 1,
  packageName: row.package as PackageName,
  addOns: control.parseJson<Permission[]>(row.add_ons),
  agreement: control.parseJson<Agreement>(row.agreement),
  scope: control.parseJson<Scope>(row.scope),
  feedPins: control.parseJson<FeedPins>(row.feed_pins),
  state: row.state as KeyState,
  ...(row.notes !== null && { notes: row.notes }),
  ...(row.expires_ms !== null && { expiresMs: row.expires_ms }),
  ...(row.networks !== null && { networks: control.parseJson<string[]>(row.networks) }),
  createdMs: row.created_ms,
  ...(row.last_used_day !== null && { lastUse: { day: row.last_used_day, version: row.last_used_version! } }),
  revision: row.revision,
})

/** Stores a changed key; returns undefined if its revision is not the expected one. */
export type KeySwap = (id: string, expectedRevision: number, change: (key: Key) => Key) => Key | undefined

/**
 * Returns a function that stores a changed key if its revision is the expected one. Call that function in a
 * transaction.
 */
export function createKeySwap(control: Sqlite): KeySwap {
  const one = control.prepare<[string], KeyRow>('SELECT * FROM keys WHERE id = ?')
  const update = control.prepare(
    `UPDATE keys SET name = @name, package = @package, add_ons = @addOns, agreement = @agreement, scope = @scope,
       feed_pins = @feedPins, state = @state, notes = @notes, expires_ms = @expiresMs, networks = @networks,
       revision = revision + 1
     WHERE id = @id AND revision = @revision`,
  )
  return (id, expectedRevision, change) => {
    const row = one.get(id)
    if (row?.revision !== expectedRevision) return undefined
    update.run(keyColumns(change(keyOf(control, row))))
    return keyOf(control, one.get(id)!)
  }
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
