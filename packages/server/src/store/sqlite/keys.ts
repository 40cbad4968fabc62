import type { FeedPinChange } from '../../domain/feed.ts'
import { applyKeyChange, type Key, type KeyChange } from '../../domain/key.ts'
import type { StoredSecret } from '../../domain/key-secret.ts'
import { type KeyAdmin, type KeySpan, keyOrders } from '../../domain/key-stores.ts'
import { type OwnKeyBounds, ownKeyReason } from '../../domain/own-key.ts'
import type { Visibility } from '../../domain/visibility.ts'
import type { Sqlite } from '../connection.ts'
import { type AccessChange, createAccessChange } from './access-change.ts'
import { explorerKeys } from './explorer-keys.ts'
import { forgivenPenalties } from './forgiven-penalties.ts'
import { keyInsert } from './key-insert.ts'
import { createKeySwap, type KeyRow, type KeySwap, keyOf } from './key-rows.ts'
import { secretChanges } from './key-secrets.ts'
import { mapPart, selectPart } from './list-query.ts'
import { ownKeyReads } from './own-keys.ts'
import { createSqlitePartners } from './partners.ts'
import { isVisibleSql, visibleParameter } from './visibility.ts'

/**
 * Opens partners and keys in control.sqlite. Its connection has synchronous FULL: a returned change is on disk.
 */
export function createSqliteKeys(control: Sqlite): KeyAdmin {
  const write = createAccessChange(control)
  const revision = control.prepare<[], number>('SELECT access FROM revision').pluck()
  const bySecret = control.prepare<[Buffer], KeyRow & { secret_id: number; secret_expires_ms: number | null }>(
    `SELECT k.*, s.id AS secret_id, s.expires_ms AS secret_expires_ms FROM key_secrets s JOIN keys k ON k.id = s.key_id
     WHERE s.digest = ?`,
  )
  const one = control.prepare<[{ id: string; visible: string | null }], KeyRow>(
    `SELECT * FROM keys WHERE id = @id AND ${isVisibleSql('partner_id')}`,
  )
  return {
    ...createSqlitePartners(control, write),
    ...keyChanges(control, write),
    ...secretChanges(control, write),
    ...forgivenPenalties(control),
    bySecret: async digest => {
      const row = bySecret.get(digest)
      if (!row) return undefined
      const { secret_id: id, secret_expires_ms: expiresMs } = row
      return { key: keyOf(control, row), secretId: String(id), ...(expiresMs !== null && { expiresMs }) }
    },
    revision: async () => revision.get()!,
    key: async (id, visibility) => {
      const row = one.get({ id, ...visibleParameter(visibility) })
      return row && keyOf(control, row)
    },
    keys: async (visibility, filter = {}) => listKeys(control, visibility, filter).rows.map(row => keyOf(control, row)),
    keyPart: async (visibility, span) => mapPart(listKeys(control, visibility, span), row => keyOf(control, row)),
  }
}

const orders = {
  created: 'keys.created_ms',
  name: 'lower(keys.name)',
  partner: '(SELECT lower(name) FROM partners WHERE id = keys.partner_id)',
  last_used: "coalesce(keys.last_used_day, '')",
  // Keys without an end come last.
  expires: `coalesce(keys.expires_ms, ${Number.MAX_SAFE_INTEGER})`,
  state: 'keys.state',
}

const listKeys = (control: Sqlite, visibility: Visibility, { partnerIds, states, test, ...span }: KeySpan) =>
  selectPart<KeyRow, keyof typeof orders>(control, {
    from: ['keys'],
    table: 'keys',
    partnerColumn: 'partner_id',
    visibility,
    orders,
    byDefault: keyOrders.byDefault,
    span,
    conditions: [
      ...(partnerIds ? [['partner_id IN (SELECT value FROM json_each(?))', JSON.stringify(partnerIds)] as const] : []),
      ...(states ? [['state IN (SELECT value FROM json_each(?))', JSON.stringify(states)] as const] : []),
      ...(test === undefined ? [] : [['test = ?', Number(test)] as const]),
    ],
  })

function keyChanges(
  control: Sqlite,
  write: AccessChange,
): Pick<
  KeyAdmin,
  | 'createKey'
  | 'createOwnKey'
  | 'addExplorerSecret'
  | 'ownKeys'
  | 'stateSetBy'
  | 'operatorEnd'
  | 'updateKey'
  | 'pinFeed'
  | 'feedPinChanges'
> {
  const swap = createKeySwap(control)
  const add = keyInsert(control)
  const { pinFeed, feedPinChanges } = pinChanges(control, swap, write)
  const { countOwn, stateSetBy, operatorEnd } = ownKeyReads(control)
  const create = write(add)
  const createOwn = write((key: Key, secret: StoredSecret, bounds: OwnKeyBounds) => {
    const counts = countOwn(key.partnerId, key.test, bounds.nowMs)
    return ownKeyReason(key, counts, bounds) === undefined && add(key, secret)
  })
  const update = write((id: string, expectedRevision: number, change: KeyChange) =>
    swap(id, expectedRevision, before => applyKeyChange(before, change)),
  )
  return {
    createKey: async (key, secret, record) => create(key, secret, record),
    createOwnKey: async (key, secret, bounds, record) => {
      if (createOwn(key, secret, bounds, record)) return 'created'
      return ownKeyReason(key, countOwn(key.partnerId, key.test, bounds.nowMs), bounds) ?? 'partner_closed'
    },
    ownKeys: async (partnerId, test, nowMs) => countOwn(partnerId, test, nowMs),
    stateSetBy: async id => stateSetBy(id),
    operatorEnd: async id => operatorEnd(id),
    updateKey: async (id, expectedRevision, change, record) => update(id, expectedRevision, change, record),
    pinFeed,
    feedPinChanges,
    ...explorerKeys(control, write, add),
  }
}

function pinChanges(control: Sqlite, swap: KeySwap, write: AccessChange): Pick<KeyAdmin, 'pinFeed' | 'feedPinChanges'> {
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
