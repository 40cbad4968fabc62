import type { EventType } from '../../domain/event.ts'
import type { WebhookAdmin } from '../../domain/event-store.ts'
import type { EndpointSecrets, WebhookEndpoint } from '../../domain/webhook.ts'
import type { Sqlite } from '../connection.ts'
import { createRecordWriter } from './change-record.ts'
import { createSqliteEvents } from './events.ts'
import { createMailList } from './mails.ts'
import { isVisibleSql, visibleParameter } from './visibility.ts'

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
export const endpointOf = (control: Sqlite, row: EndpointRow): WebhookEndpoint => ({
  id: row.id,
  ...(row.partner !== null && { partnerId: row.partner }),
  ...(row.key !== null && { keyId: row.key }),
  url: row.url,
  types: control.parseJson<EventType[]>(row.types),
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

/** Opens endpoints, deliveries and events in control.sqlite. */
export function createSqliteWebhooks(control: Sqlite): WebhookAdmin {
  const write = createRecordWriter(control)
  const one = control.prepare<[string], EndpointRow>('SELECT * FROM webhook_endpoints WHERE id = ?')
  const seen = control.prepare<[{ id: string; visible: string | null }], EndpointRow>(
    `SELECT * FROM webhook_endpoints WHERE id = @id AND ${isVisibleSql('partner')}`,
  )
  const all = control.prepare<[{ visible: string | null }], EndpointRow>(
    `SELECT * FROM webhook_endpoints WHERE ${isVisibleSql('partner')} ORDER BY created, id`,
  )
  const add = control.prepare(
    `INSERT INTO webhook_endpoints (id, partner, key, url, types, secret, state, created, revision)
     VALUES (@id, @partner, @key, @url, @types, @secret, @state, @created, @revision)`,
  )
  const create = control.transaction(
    (endpoint: WebhookEndpoint, secret: Buffer, record: Parameters<typeof write>[0]) => {
      add.run({ ...columnsOf(endpoint), secret })
      write(record)
    },
  )
  const find = (id: string) => {
    const row = one.get(id)
    return row && endpointOf(control, row)
  }
  return {
    addEndpoint: async (endpoint, secret, record) => create.immediate(endpoint, secret, record),
    endpoint: async (id, visibility) => {
      const row = seen.get({ id, ...visibleParameter(visibility) })
      return row && endpointOf(control, row)
    },
    endpoints: async visibility => all.all(visibleParameter(visibility)).map(row => endpointOf(control, row)),
    secrets: async id => {
      const row = one.get(id)
      return row && secretsOf(row)
    },
    ...endpointChanges(control, write, find),
    ...createSqliteEvents(control, write),
    ...createMailList(control),
  }
}

function endpointChanges(
  control: Sqlite,
  write: ReturnType<typeof createRecordWriter>,
  find: (id: string) => WebhookEndpoint | undefined,
): Pick<WebhookAdmin, 'updateEndpoint' | 'rotateSecret' | 'removeEndpoint'> {
  const update = control.prepare(
    `UPDATE webhook_endpoints SET url = @url, types = @types, state = @state,
       disabled_reason = iif(@state = 'disabled', disabled_reason, NULL),
       failing_since = iif(@activated, NULL, failing_since), revision = revision + 1
     WHERE id = @id AND revision = @expected`,
  )
  const rotate = control.prepare(
    `UPDATE webhook_endpoints SET previous_secret = secret, previous_secret_ends = @endsMs, secret = @secret,
       revision = revision + 1 WHERE id = @id AND revision = @expected`,
  )
  const removeDeliveries = control.prepare<[string]>('DELETE FROM deliveries WHERE endpoint = ?')
  const remove = control.prepare<[string, number]>('DELETE FROM webhook_endpoints WHERE id = ? AND revision = ?')
  /** Wraps a change in a transaction with its record, which is written only if the change changed a row. */
  const recorded = <A extends unknown[]>(change: (...args: A) => boolean) =>
    control.transaction((record: Parameters<typeof write>[0], ...args: A): boolean => {
      const changed = change(...args)
      if (changed) write(record)
      return changed
    }).immediate
  const updateRow = recorded((row: object) => update.run(row).changes === 1)
  const rotateRow = recorded((row: object) => rotate.run(row).changes === 1)
  const removeRow = recorded((id: string, expected: number) => {
    if (remove.run(id, expected).changes === 0) return false
    removeDeliveries.run(id)
    return true
  })
  return {
    updateEndpoint: async (id, expected, change, record) => {
      const before = find(id)
      if (!before) return undefined
      const activated = change.state === 'active' && before.state !== 'active' ? 1 : 0
      const { url, types, state } = columnsOf({ ...before, ...change })
      return updateRow(record, { id, expected, url, types, state, activated }) ? find(id) : undefined
    },
    rotateSecret: async (id, expected, secret, endsMs, record) =>
      rotateRow(record, { id, expected, secret, endsMs }) ? find(id) : undefined,
    removeEndpoint: async (id, expected, record) => removeRow(record, id, expected),
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
