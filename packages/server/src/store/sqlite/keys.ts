import type { Agreement } from '../../domain/agreement.ts'
import type { FeedPinChange, FeedPins } from '../../domain/feed.ts'
import type { Key, KeyChange, KeyState } from '../../domain/key.ts'
import type { PackageName, Permission } from '../../domain/package.ts'
import type { Partner, PartnerChange } from '../../domain/partner.ts'
import type { Scope } from '../../domain/scope.ts'
import type { KeyAdmin, NewSecret } from '../../domain/stores.ts'
import type { Sqlite } from './open.ts'

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
  created_ms: number
  revision: number
}

const keyOf = (row: KeyRow): Key => ({
  id: row.id,
  partnerId: row.partner_id,
  ...(row.name !== null && { name: row.name }),
  test: row.test === 1,
  packageName: row.package as PackageName,
  addOns: JSON.parse(row.add_ons) as Permission[],
  agreement: JSON.parse(row.agreement) as Agreement,
  scope: JSON.parse(row.scope) as Scope,
  feedPins: JSON.parse(row.feed_pins) as FeedPins,
  state: row.state as KeyState,
  createdMs: row.created_ms,
  revision: row.revision,
})

interface PartnerRow {
  id: string
  name: string
  email: string | null
  external_ref: string | null
  created_ms: number
  revision: number
}

const partnerOf = (row: PartnerRow): Partner => ({
  id: row.id,
  name: row.name,
  ...(row.email !== null && { email: row.email }),
  ...(row.external_ref !== null && { externalRef: row.external_ref }),
  createdMs: row.created_ms,
  revision: row.revision,
})

/** Partners and keys in control.sqlite, whose connection has synchronous FULL: confirmed means on disk. */
export function sqliteKeys(control: Sqlite): KeyAdmin {
  const bySecret = control.prepare<[Buffer], KeyRow & { expires_ms: number | null }>(
    'SELECT k.*, s.expires_ms FROM key_secrets s JOIN keys k ON k.id = s.key_id WHERE s.digest = ?',
  )
  const key = control.prepare<[string], KeyRow>('SELECT * FROM keys WHERE id = ?')
  const keys = control.prepare<[], KeyRow>('SELECT * FROM keys ORDER BY created_ms, id')
  const partner = control.prepare<[string], PartnerRow>('SELECT * FROM partners WHERE id = ?')
  const partners = control.prepare<[], PartnerRow>('SELECT * FROM partners ORDER BY created_ms, id')
  const addPartner = control.prepare(
    `INSERT INTO partners (id, name, email, external_ref, created_ms, revision)
     VALUES (@id, @name, @email, @externalRef, @createdMs, @revision) ON CONFLICT (id) DO NOTHING`,
  )
  const changePartner = control.prepare(
    `UPDATE partners SET name = @name, email = @email, external_ref = @externalRef, revision = revision + 1
     WHERE id = @id AND revision = @revision`,
  )
  const addKey = control.prepare(
    `INSERT INTO keys (id, partner_id, name, test, package, add_ons, agreement, scope, feed_pins, state,
       created_ms, revision)
     VALUES (@id, @partnerId, @name, @test, @package, @addOns, @agreement, @scope, @feedPins, @state, @createdMs,
       @revision)`,
  )
  const changeKey = control.prepare(
    `UPDATE keys SET name = @name, package = @package, add_ons = @addOns, agreement = @agreement, scope = @scope,
       feed_pins = @feedPins, state = @state, revision = revision + 1
     WHERE id = @id AND revision = @revision`,
  )
  const addSecret = control.prepare('INSERT INTO key_secrets (digest, key_id, created_ms) VALUES (?, ?, ?)')
  const endSecrets = control.prepare(
    'UPDATE key_secrets SET expires_ms = min(coalesce(expires_ms, @endMs), @endMs) WHERE key_id = @id',
  )
  const revision = control.prepare<[], number>('SELECT access FROM revision').pluck()
  const bump = control.prepare('UPDATE revision SET access = access + 1')

  /** Runs a change in a transaction of its own; readers are notified unless it returns false or undefined. */
  const write = <A extends unknown[], R>(change: (...args: A) => R) =>
    control.transaction((...args: A): R => {
      const result = change(...args)
      if (result !== false && result !== undefined) bump.run()
      return result
    }).immediate

  /** Stores a key with what `change` makes of it, unless its revision is another. */
  const swap = (id: string, expectedRevision: number, change: (key: Key) => Key): Key | undefined => {
    const row = key.get(id)
    if (row?.revision !== expectedRevision) return undefined
    changeKey.run(columnsOf(change(keyOf(row))))
    return keyOf(key.get(id)!)
  }

  const createPartner = write((p: Partner) => addPartner.run(partnerColumnsOf(p)).changes === 1)
  const updatePartner = write((id: string, expectedRevision: number, change: PartnerChange) => {
    const row = partner.get(id)
    if (row?.revision !== expectedRevision) return undefined
    changePartner.run({ ...partnerColumnsOf(partnerOf(row)), ...change })
    return partnerOf(partner.get(id)!)
  })
  const createKey = write((k: Key, digest: Buffer) => {
    addKey.run(columnsOf(k))
    addSecret.run(digest, k.id, k.createdMs)
    return true
  })
  const updateKey = write((id: string, expectedRevision: number, change: KeyChange) =>
    swap(id, expectedRevision, before => ({ ...before, ...change })),
  )
  const addPinChange = control.prepare('INSERT INTO feed_pin_changes VALUES (@keyId, @feed, @from, @to, @by, @atMs)')
  const pinChanges = control.prepare<[string], FeedPinChange>(
    `SELECT key_id AS keyId, feed, from_version AS "from", to_version AS "to", changed_by AS "by", at_ms AS atMs
     FROM feed_pin_changes WHERE key_id = ? ORDER BY rowid`,
  )
  const pinFeed = write((expectedRevision: number, change: FeedPinChange) => {
    const pinned = swap(change.keyId, expectedRevision, before => ({
      ...before,
      feedPins: { ...before.feedPins, [change.feed]: change.to },
    }))
    if (pinned) addPinChange.run(change)
    return pinned
  })
  const rotate = write((id: string, expectedRevision: number, { digest, createdMs, othersExpireMs }: NewSecret) => {
    const rotated = swap(id, expectedRevision, before => before)
    if (!rotated) return undefined
    endSecrets.run({ endMs: othersExpireMs, id })
    addSecret.run(digest, id, createdMs)
    return rotated
  })

  return {
    bySecret: async digest => {
      const row = bySecret.get(digest)
      return row && { key: keyOf(row), ...(row.expires_ms !== null && { expiresMs: row.expires_ms }) }
    },
    revision: async () => revision.get()!,
    createPartner: async p => createPartner(p),
    partner: async id => {
      const row = partner.get(id)
      return row && partnerOf(row)
    },
    updatePartner: async (id, expectedRevision, change) => updatePartner(id, expectedRevision, change),
    partners: async () => partners.all().map(partnerOf),
    createKey: async (k, digest) => {
      createKey(k, digest)
    },
    key: async id => {
      const row = key.get(id)
      return row && keyOf(row)
    },
    keys: async () => keys.all().map(keyOf),
    updateKey: async (id, expectedRevision, change) => updateKey(id, expectedRevision, change),
    pinFeed: async (expectedRevision, change) => pinFeed(expectedRevision, change),
    feedPinChanges: async id => pinChanges.all(id),
    addSecret: async (id, expectedRevision, secret) => rotate(id, expectedRevision, secret),
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
  createdMs: k.createdMs,
  revision: k.revision,
})

const partnerColumnsOf = (p: Partner) => ({
  id: p.id,
  name: p.name,
  email: p.email ?? null,
  externalRef: p.externalRef ?? null,
  createdMs: p.createdMs,
  revision: p.revision,
})
