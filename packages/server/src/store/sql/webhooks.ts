import type { ChangeRecord } from '../../domain/change-record.ts'
import type { EventType } from '../../domain/event.ts'
import type { WebhookAdmin } from '../../domain/event-store.ts'
import { everything } from '../../domain/visibility.ts'
import type { EndpointSecrets, WebhookEndpoint } from '../../domain/webhook.ts'
import { writeRecord } from './change-record.ts'
import { type JsonColumns, run, type SqlDatabase, type SqlWork } from './database.ts'
import { createEvents } from './events.ts'
import { createMailList } from './mails.ts'
import { equals, isVisible, where } from './terms.ts'

/** A row of webhook_endpoints. */
export interface EndpointRow {
  id: string
  partner: string | null
  key: string | null
  url: string
  types: string
  secret: Buffer
  previous_secret: Buffer | null
  previous_secret_ends: number | null
  state: WebhookEndpoint['state']
  disabled_reason: NonNullable<WebhookEndpoint['disabledReason']> | null
  failing_since: number | null
  created: number
  revision: number
}

/** Returns the endpoint of a row. */
export const endpointOf = (db: JsonColumns, row: EndpointRow): WebhookEndpoint => ({
  id: row.id,
  ...(row.partner !== null && { partnerId: row.partner }),
  ...(row.key !== null && { keyId: row.key }),
  url: row.url,
  types: db.parseJson<EventType[]>(row.types),
  state: row.state,
  ...(row.disabled_reason !== null && { disabledReason: row.disabled_reason }),
  createdMs: row.created,
  ...(row.failing_since !== null && { failingSinceMs: row.failing_since }),
  ...(row.previous_secret_ends !== null && { previousSecretEndsMs: row.previous_secret_ends }),
  revision: row.revision,
})

/** Returns the sealed secrets of a row. */
export const secretsOf = ({ secret, previous_secret }: EndpointRow): EndpointSecrets => ({
  current: secret,
  ...(previous_secret !== null && { previous: previous_secret }),
})

/** Opens endpoints, deliveries and events. */
export function createWebhooks(db: SqlDatabase): WebhookAdmin {
  const find: WebhookAdmin['endpoint'] = async (id, visibility) => {
    const { sql, params } = where([...equals('id', 'id', id), ...isVisible('partner', visibility)])
    const row = await db.get<EndpointRow>(`SELECT * FROM webhook_endpoints ${sql}`, params)
    return row && endpointOf(db, row)
  }
  return {
    addEndpoint: (endpoint, secret, record) =>
      db.transaction(function* () {
        yield* run(
          `INSERT INTO webhook_endpoints (id, partner, key, url, types, secret, state, created, revision)
           VALUES (@id, @partner, @key, @url, @types, @secret, @state, @created, @revision)`,
          { ...columnsOf(endpoint), secret },
        )
        yield* writeRecord(record)
      }),
    endpoint: find,
    endpoints: async visibility => {
      const { sql, params } = where(isVisible('partner', visibility))
      const rows = await db.all<EndpointRow>(`SELECT * FROM webhook_endpoints ${sql} ORDER BY created, id`, params)
      return rows.map(row => endpointOf(db, row))
    },
    secrets: async id => {
      const row = await db.get<EndpointRow>('SELECT * FROM webhook_endpoints WHERE id = @id', { id })
      return row && secretsOf(row)
    },
    ...createEndpointChanges(db, id => find(id, everything)),
    ...createEvents(db),
    ...createMailList(db),
  }
}

function createEndpointChanges(
  db: SqlDatabase,
  find: (id: string) => Promise<WebhookEndpoint | undefined>,
): Pick<WebhookAdmin, 'updateEndpoint' | 'rotateSecret' | 'removeEndpoint'> {
  /** Runs a change in a transaction with its record, which is written only if the change changed a row. */
  const recorded = (record: ChangeRecord, change: () => SqlWork<number>): Promise<boolean> =>
    db.transaction(function* () {
      const changed = (yield* change()) > 0
      if (changed) yield* writeRecord(record)
      return changed
    })
  return {
    updateEndpoint: async (id, expected, change, record) => {
      const before = await find(id)
      if (!before) return undefined
      const activated = change.state === 'active' && before.state !== 'active' ? 1 : 0
      const { url, types, state } = columnsOf({ ...before, ...change })
      const updated = await recorded(record, () =>
        run(
          `UPDATE webhook_endpoints SET url = @url, types = @types, state = @state,
             disabled_reason = CASE WHEN @state = 'disabled' THEN disabled_reason END,
             failing_since = CASE WHEN @activated = 0 THEN failing_since END, revision = revision + 1
           WHERE id = @id AND revision = @expected`,
          { id, expected, url, types, state, activated },
        ),
      )
      return updated ? find(id) : undefined
    },
    rotateSecret: async (id, expected, secret, endsMs, record) => {
      const rotated = await recorded(record, () =>
        run(
          `UPDATE webhook_endpoints SET previous_secret = secret, previous_secret_ends = @endsMs, secret = @secret,
             revision = revision + 1 WHERE id = @id AND revision = @expected`,
          { id, expected, secret, endsMs },
        ),
      )
      return rotated ? find(id) : undefined
    },
    removeEndpoint: (id, expected, record) =>
      recorded(record, function* () {
        const removed = yield* run('DELETE FROM webhook_endpoints WHERE id = @id AND revision = @expected', {
          id,
          expected,
        })
        if (removed > 0) yield* run('DELETE FROM deliveries WHERE endpoint = @id', { id })
        return removed
      }),
  }
}

const columnsOf = (e: WebhookEndpoint) => ({
  id: e.id,
  partner: e.partnerId ?? null,
  key: e.keyId ?? null,
  url: e.url,
  types: JSON.stringify(e.types),
  state: e.state,
  created: e.createdMs,
  revision: e.revision,
})
