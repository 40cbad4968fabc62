import type { FeedPinChange } from '../../domain/feed.ts'
import { applyKeyChange, type KeyBySecret } from '../../domain/key.ts'
import { type KeyAdmin, type KeySpan, keyOrders } from '../../domain/key-stores.ts'
import { type OwnKeyReason, ownKeyReason } from '../../domain/own-key.ts'
import type { Visibility } from '../../domain/visibility.ts'
import { changeAccess } from './access-change.ts'
import { type JsonColumns, run, type SqlDatabase } from './database.ts'
import { createExplorerKeys } from './explorer-keys.ts'
import { createForgivenPenalties } from './forgiven-penalties.ts'
import { insertKey } from './key-insert.ts'
import { type KeyRow, keyOf, swapKey } from './key-rows.ts'
import { createSecrets } from './key-secrets.ts'
import { mapPart, selectPart } from './list-query.ts'
import { countOwnKeys, createOwnKeyReads } from './own-keys.ts'
import { createPartners } from './partners.ts'
import { equals, isOneOf, isVisible, where } from './terms.ts'

/** A key with one of its secrets. */
export interface SecretKeyRow extends KeyRow {
  digest: Buffer
  secret_id: number
  secret_expires_ms: number | null
}

/** Selects keys with their secrets, as `s`. */
export const secretKeys = `SELECT k.*, s.digest, s.id AS secret_id, s.expires_ms AS secret_expires_ms
  FROM key_secrets s JOIN keys k ON k.id = s.key_id`

/** Returns the key of a row. */
export function keyBySecretOf(db: JsonColumns, row: SecretKeyRow): KeyBySecret {
  const { secret_id: id, secret_expires_ms: expiresMs } = row
  return { key: keyOf(db, row), secretId: String(id), ...(expiresMs !== null && { expiresMs }) }
}

/** Opens partners and keys. */
export const createKeys = (db: SqlDatabase): KeyAdmin => ({
  ...createPartners(db),
  ...createKeyChanges(db),
  ...createPinChanges(db),
  ...createSecrets(db),
  ...createExplorerKeys(db),
  ...createForgivenPenalties(db),
  ...createOwnKeyReads(db),
  bySecret: async digest => {
    const row = await db.get<SecretKeyRow>(`${secretKeys} WHERE s.digest = @digest`, { digest })
    return row && keyBySecretOf(db, row)
  },
  revision: async () => (await db.get<{ access: number }>('SELECT access FROM revision'))!.access,
  key: async (id, visibility) => {
    const { sql, params } = where([...equals('id', 'id', id), ...isVisible('partner_id', visibility)])
    const row = await db.get<KeyRow>(`SELECT * FROM keys ${sql}`, params)
    return row && keyOf(db, row)
  },
  keys: async (visibility, filter = {}) => (await listKeys(db, visibility, filter)).rows.map(row => keyOf(db, row)),
  keyPart: async (visibility, span) => mapPart(await listKeys(db, visibility, span), row => keyOf(db, row)),
})

const orders = {
  created: 'keys.created_ms',
  name: 'lower(keys.name)',
  partner: '(SELECT lower(name) FROM partners WHERE id = keys.partner_id)',
  last_used: "coalesce(keys.last_used_day, '')",
  // Keys without an end come last.
  expires: `coalesce(keys.expires_ms, ${Number.MAX_SAFE_INTEGER})`,
  state: 'keys.state',
}

const listKeys = (db: SqlDatabase, visibility: Visibility, { partnerIds, states, test, ...span }: KeySpan) =>
  selectPart<KeyRow, keyof typeof orders>(db, {
    from: 'keys',
    table: 'keys',
    orders,
    byDefault: keyOrders.byDefault,
    span,
    conditions: [
      ...isVisible('partner_id', visibility),
      ...isOneOf('partner_id', 'partner', partnerIds),
      ...isOneOf('state', 'state', states),
      ...equals('test', 'test', test === undefined ? undefined : Number(test)),
    ],
  })

const createKeyChanges = (db: SqlDatabase): Pick<KeyAdmin, 'createKey' | 'createOwnKey' | 'updateKey'> => ({
  createKey: (key, secret, record) => changeAccess(db, record, () => insertKey(key, secret)),
  createOwnKey: async (key, secret, bounds, record) => {
    let reason: OwnKeyReason | undefined
    const created = await changeAccess(db, record, function* () {
      reason = ownKeyReason(key, yield* countOwnKeys(db, key.partnerId, key.test, bounds.nowMs), bounds)
      return reason === undefined && (yield* insertKey(key, secret))
    })
    return created ? 'created' : (reason ?? 'partner_closed')
  },
  updateKey: (id, expectedRevision, change, record) =>
    changeAccess(db, record, () => swapKey(db, id, expectedRevision, before => applyKeyChange(before, change))),
})

const createPinChanges = (db: SqlDatabase): Pick<KeyAdmin, 'pinFeed' | 'feedPinChanges'> => ({
  pinFeed: (expectedRevision, change, record) =>
    changeAccess(db, record, function* () {
      const pinned = yield* swapKey(db, change.keyId, expectedRevision, before => ({
        ...before,
        feedPins: { ...before.feedPins, [change.feed]: change.to },
      }))
      if (pinned)
        yield* run(
          `INSERT INTO feed_pin_changes (key_id, feed, from_version, to_version, changed_by, at_ms)
           VALUES (@keyId, @feed, @from, @to, @by, @atMs)`,
          { ...change },
        )
      return pinned
    }),
  feedPinChanges: id =>
    db.all<FeedPinChange>(
      `SELECT key_id AS "keyId", feed, from_version AS "from", to_version AS "to", changed_by AS "by", at_ms AS "atMs"
       FROM feed_pin_changes WHERE key_id = @id ORDER BY rowid`,
      { id },
    ),
})
