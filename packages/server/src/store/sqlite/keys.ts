import type { Agreement } from '../../domain/agreement.ts'
import type { FeedPinChange, FeedPins } from '../../domain/feed.ts'
import { applyKeyChange, type Key, type KeyChange, type KeyState, type NewSecret } from '../../domain/key.ts'
import type { PackageName, Permission } from '../../domain/package.ts'
import type { Scope } from '../../domain/scope.ts'
import type { KeyAdmin } from '../../domain/stores.ts'
import type { Sqlite } from '../connection.ts'
import { type AccessChange, createAccessChange } from './access-change.ts'
import { createSqlitePartners } from './partners.ts'
import { isVisibleSql, visibleParameter } from './visibility.ts'

interface KeyRow {
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
}

const keyOf = (control: Sqlite, row: KeyRow): Key => ({
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
  revision: row.revision,
})

/**
 * Opens partners and keys in control.sqlite. Its connection has synchronous FULL: a returned change is on disk.
 */
export function createSqliteKeys(control: Sqlite): KeyAdmin {
  const write = createAccessChange(control)
  const revision = control.prepare<[], number>('SELECT access FROM revision').pluck()
  const bySecret = control.prepare<[Buffer], KeyRow & { secret_expires_ms: number | null }>(
    'SELECT k.*, s.expires_ms AS secret_expires_ms FROM key_secrets s JOIN keys k ON k.id = s.key_id WHERE s.digest = ?',
  )
  const one = control.prepare<[{ id: string; visible: string | null }], KeyRow>(
    `SELECT * FROM keys WHERE id = @id AND ${isVisibleSql('partner_id')}`,
  )
  const all = control.prepare<[{ visible: string | null }], KeyRow>(
    `SELECT * FROM keys WHERE ${isVisibleSql('partner_id')} ORDER BY created_ms, id`,
  )
  return {
    ...createSqlitePartners(control, write),
    ...keyChanges(control, write),
    bySecret: async digest => {
      const row = bySecret.get(digest)
      return (
        row && { key: keyOf(control, row), ...(row.secret_expires_ms !== null && { expiresMs: row.secret_expires_ms }) }
      )
    },
    revision: async () => revision.get()!,
    key: async (id, visibility) => {
      const row = one.get({ id, ...visibleParameter(visibility) })
      return row && keyOf(control, row)
    },
    keys: async visibility => all.all(visibleParameter(visibility)).map(row => keyOf(control, row)),
  }
}

type Swap = (id: string, expectedRevision: number, change: (key: Key) => Key) => Key | undefined

/**
 * Returns a function that stores a changed key if its revision is the expected one. Call that function in a
 * transaction.
 */
function keySwap(control: Sqlite): Swap {
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
    update.run(columnsOf(change(keyOf(control, row))))
    return keyOf(control, one.get(id)!)
  }
}

function keyChanges(
  control: Sqlite,
  write: AccessChange,
): Pick<KeyAdmin, 'createKey' | 'updateKey' | 'pinFeed' | 'feedPinChanges' | 'addSecret'> {
  const swap = keySwap(control)
  const addKey = control.prepare(
    `INSERT INTO keys (id, partner_id, name, test, package, add_ons, agreement, scope, feed_pins, state, notes,
       expires_ms, networks, created_ms, revision)
     VALUES (@id, @partnerId, @name, @test, @package, @addOns, @agreement, @scope, @feedPins, @state, @notes,
       @expiresMs, @networks, @createdMs, @revision)`,
  )
  const addSecret = control.prepare('INSERT INTO key_secrets (digest, key_id, created_ms) VALUES (?, ?, ?)')
  const expireSecrets = control.prepare(
    'UPDATE key_secrets SET expires_ms = min(coalesce(expires_ms, @endMs), @endMs) WHERE key_id = @id',
  )
  const { pinFeed, feedPinChanges } = pinChanges(control, swap, write)
  const isOpen = control.prepare<[string], 1>("SELECT 1 FROM partners WHERE id = ? AND state = 'open'").pluck()
  const create = write((key: Key, digest: Buffer) => {
    if (isOpen.get(key.partnerId) === undefined) return false
    addKey.run(columnsOf(key))
    addSecret.run(digest, key.id, key.createdMs)
    return true
  })
  const update = write((id: string, expectedRevision: number, change: KeyChange) =>
    swap(id, expectedRevision, before => applyKeyChange(before, change)),
  )
  const rotate = write((id: string, expectedRevision: number, { digest, createdMs, othersExpireMs }: NewSecret) => {
    const rotated = swap(id, expectedRevision, before => before)
    if (!rotated) return undefined
    expireSecrets.run({ endMs: othersExpireMs, id })
    addSecret.run(digest, id, createdMs)
    return rotated
  })
  return {
    createKey: async (key, digest, record) => create(key, digest, record),
    updateKey: async (id, expectedRevision, change, record) => update(id, expectedRevision, change, record),
    pinFeed,
    feedPinChanges,
    addSecret: async (id, expectedRevision, secret, record) => rotate(id, expectedRevision, secret, record),
  }
}

function pinChanges(control: Sqlite, swap: Swap, write: AccessChange): Pick<KeyAdmin, 'pinFeed' | 'feedPinChanges'> {
  const add = control.prepare('INSERT INTO feed_pin_changes VALUES (@keyId, @feed, @from, @to, @by, @atMs)')
  const changesOf = control.prepare<[string], FeedPinChange>(
    `SELECT key_id AS keyId, feed, from_version AS "from", to_version AS "to", changed_by AS "by", at_ms AS atMs
     FROM feed_pin_changes WHERE key_id = ? ORDER BY rowid`,
  )
  const pin = write((expectedRevision: number, change: FeedPinChange) => {
    const pinned = swap(change.keyId, expectedRevision, before => ({
      ...before,
      feedPins: { ...before.feedPins, [change.feed]: change.to },
    }))
    if (pinned) add.run(change)
    return pinned
  })
  return {
    pinFeed: async (expectedRevision, change, record) => pin(expectedRevision, change, record),
    feedPinChanges: async id => changesOf.all(id),
  }
}

const columnsOf = (k: Key) => ({
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
