/** Webhooks of a running service: from a change to the receiver. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { periplus } from '../cli.ts'
import { eventually } from '../eventually.ts'
import { adminClient, createToken } from '../management/admin-client.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { importRows, startWorld, type World } from '../world.ts'

let world: World
let receiver: Receiver
beforeAll(async () => {
  world = await startWorld({ 'webhooks.allowPrivate': true }, 'empty')
  receiver = await startReceiver()
})
afterAll(async () => {
  await world.close()
  await receiver.close()
})

const env = { PERIPLUS_WEBHOOKS_ALLOW_PRIVATE: 'true' }
const run = (...args: string[]) => periplus([...args, '--data', world.config.data], { env })
const json = async <T = Record<string, unknown>>(...args: string[]): Promise<T> => {
  const result = await run(...args, '--json')
  if (result.code !== 0) throw new Error(result.stderr)
  return result.json<T>()
}
const addHook = (path: string, ...args: string[]) =>
  json<{ id: string; secret: string }>('webhooks', 'add', `${receiver.url}/${path}`, ...args)
const makePartner = async (name: string) => (await json<{ id: string }>('partners', 'create', name)).id
const makeKey = (partner: string, ...args: string[]) =>
  json<{ id: string; key: string }>('keys', 'create', '--partner', partner, '--package', 'discover', ...args)
const receivedOf = (type: string) => receiver.received.filter(({ event }) => event.type === type)
interface Deliveries {
  data: { id: string; state: string; event: { id: string; type: string }; attempts: { status?: number }[] }[]
}

describe('a webhook of a partner', () => {
  test('receives the events of the partner alone, signed for the library of Standard Webhooks', async () => {
    const [ours, others] = [await makePartner('Ours'), await makePartner('Others')]
    const { id, secret } = await addHook('keys', '--partner', ours, '--type', 'key.created', 'key.rotated')
    await makeKey(others)
    const key = await makeKey(ours)
    await json('keys', 'rotate', key.id, '--overlap', '1h')
    const rotated = await eventually(() => {
      expect(receivedOf('key.rotated')).toHaveLength(1)
      return receivedOf('key.rotated')[0]!
    })
    expect(receivedOf('key.created').map(({ event }) => event.data)).toEqual([
      expect.objectContaining({ partner_id: ours, key_id: key.id }),
    ])
    expect(new Webhook(secret).verify(rotated.body, rotated.headers as Record<string, string>)).toEqual(rotated.event)
    expect(rotated.headers['webhook-id']).toBe(rotated.event.id)
    expect(() =>
      new Webhook(secret).verify(rotated.body.replace('key.rotated', 'key.created'), rotated.headers as never),
    ).toThrow()
    expect(rotated.body).not.toContain('peri_')

    const twice = await json<{ secret: string }>('webhooks', 'rotate', id)
    await json('keys', 'rotate', key.id, '--overlap', '1h')
    const second = await eventually(() => receivedOf('key.rotated')[1]!.headers as Record<string, string>)
    const { body } = receivedOf('key.rotated')[1]!
    for (const one of [secret, twice.secret]) new Webhook(one).verify(body, second)
    expect(second['webhook-signature']!.split(' ')).toHaveLength(2)
    await json('webhooks', 'remove', id)
  })

  test('repeats a refused event with the same id, and shows each attempt', async () => {
    const partner = await makePartner('Retry')
    receiver.answer = (response, { event }) => {
      const isFirst = receiver.received.filter(one => one.event.id === event.id).length === 1
      response.writeHead(isFirst ? 503 : 200).end(isFirst ? 'busy' : 'ok')
    }
    const { id } = await addHook('retry', '--partner', partner, '--type', 'key.created')
    const key = await makeKey(partner)
    const failed = await eventually(async () => {
      const { data } = await json<Deliveries>('webhooks', 'deliveries', id)
      expect(data).toMatchObject([{ state: 'pending', attempts: [{ status: 503, body: 'busy' }] }])
      return data[0]!
    })
    await json('webhooks', 'redeliver', failed.id)
    await eventually(async () =>
      expect((await json<Deliveries>('webhooks', 'deliveries', id)).data).toMatchObject([
        { state: 'delivered', attempts: [{ status: 503 }, { status: 200, body: 'ok' }] },
      ]),
    )
    const mine = receiver.received.filter(({ event }) => event.data.key_id === key.id)
    expect(new Set(mine.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([failed.event.id]))
    expect(mine).toHaveLength(2)
  })

  test('is disabled by 410, and its partner learns that through other webhooks', async () => {
    const partner = await makePartner('Gone')
    const watching = await addHook('watch', '--partner', partner, '--type', 'webhook.disabled')
    receiver.answer = (response, { event }) => response.writeHead(event.type === 'key.created' ? 410 : 204).end()
    const { id } = await addHook('gone', '--partner', partner, '--type', 'key.created')
    await makeKey(partner)
    await eventually(async () =>
      expect(await json('webhooks', 'show', id)).toMatchObject({ state: 'disabled', disabled_reason: 'gone' }),
    )
    await eventually(() =>
      expect(receivedOf('webhook.disabled').map(({ event }) => event.data)).toEqual([
        { partner_id: partner, webhook_id: id, reason: 'gone' },
      ]),
    )
    const { data } = await json<Deliveries>('webhooks', 'deliveries', id)
    expect((await run('webhooks', 'redeliver', data[0]!.id)).stderr).toBe(
      `Webhook ${id} is disabled. Run 'periplus webhooks set ${id} --state active' first.\n`,
    )
    expect(await json('webhooks', 'set', id, '--state', 'active')).not.toHaveProperty('disabled_reason')
    receiver.answer = response => response.writeHead(204).end()
    await json('webhooks', 'remove', watching.id)
  })

  test('waits while it is paused', async () => {
    const partner = await makePartner('Paused')
    const { id } = await addHook('paused', '--partner', partner, '--type', 'key.created')
    await json('webhooks', 'set', id, '--state', 'paused')
    const key = await makeKey(partner)
    await eventually(async () =>
      expect((await json<Deliveries>('webhooks', 'deliveries', id)).data).toMatchObject([
        { state: 'pending', attempts: [] },
      ]),
    )
    await json('webhooks', 'set', id, '--state', 'active')
    await eventually(() => expect(receiver.received.at(-1)!.event.data.key_id).toBe(key.id))
  })

  test('is tested with an event of its own', async () => {
    const { id, secret } = await addHook('test', '--type', 'key.created')
    expect(await json('webhooks', 'test', id)).toMatchObject({ delivered: true, attempt: { status: 204 } })
    const { event, body, headers } = receivedOf('webhook.test')[0]!
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual(event)
    receiver.answer = response => response.writeHead(302, { location: `${receiver.url}/elsewhere` }).end()
    const redirected = await run('webhooks', 'test', id, '--json')
    expect(redirected).toMatchObject({ code: 1 })
    expect(redirected.json()).toMatchObject({ delivered: false, attempt: { status: 302 } })
    expect(receivedOf('webhook.test')).toHaveLength(2)
    receiver.answer = response => response.writeHead(204).end()
    await json('webhooks', 'remove', id)
  })
})

describe('events of limits and places', () => {
  const rows = (from: number, count: number, country: string) =>
    Array.from({ length: count }, (_, i) => ({
      id: from + i,
      name: `Place ${from + i}`,
      category: 'restaurant',
      lat: 40,
      lon: 3,
      country,
    }))

  test('80 and 100 % of a quota are one event each', async () => {
    const partner = await makePartner('Quota')
    const { id } = await addHook('quota', '--partner', partner, '--type', 'quota.threshold_reached')
    const { id: keyId, key } = await makeKey(partner, '--quota', '10', '--rate', '1000')
    await importRows(world.config, 'location', rows(5001, 1, 'US'))
    await Promise.all(Array.from({ length: 12 }, () => world.get('/locations/5001', { key })))
    await eventually(() => expect(receivedOf('quota.threshold_reached')).toHaveLength(2))
    expect(receivedOf('quota.threshold_reached').map(({ event }) => event.data)).toEqual(
      [80, 100].map(percent =>
        expect.objectContaining({ partner_id: partner, key_id: keyId, limit: 'quota', percent, quota: 10 }),
      ),
    )
    await json('webhooks', 'remove', id)
  })

  test('changed places arrive in batches, in the scope of the key', async () => {
    const partner = await makePartner('Places')
    const { id: spanish } = await makeKey(partner, '--countries', 'ES')
    const types = ['--type', 'location.changed,location.closed', 'location.merged', 'location.removed']
    const scoped = await addHook('es', '--key', spanish, ...types)
    const all = await addHook('all', ...types)
    await importRows(world.config, 'location', [...rows(1, 600, 'ES'), ...rows(1001, 2, 'FR')])
    const idsOf = (partnerId: string | undefined, type: string) =>
      receivedOf(type)
        .filter(({ event }) => event.data.partner_id === partnerId)
        .map(({ event }) => event.data.location_ids as string[])
    await eventually(() => {
      expect(idsOf(partner, 'location.changed').flat()).toHaveLength(600)
      expect(idsOf(undefined, 'location.changed').flat()).toHaveLength(602)
    })
    expect(idsOf(partner, 'location.changed').every(ids => ids.length <= 500)).toBe(true)
    await importRows(world.config, 'location', [
      { ...rows(1, 1, 'ES')[0], status: 'CLOSED' },
      { id: 2, merged_into: 3 },
      { id: 4, deleted: true },
      { ...rows(1001, 1, 'FR')[0], status: 'CLOSED' },
    ])
    await eventually(() => {
      expect(idsOf(partner, 'location.closed')).toEqual([['1']])
      expect(idsOf(undefined, 'location.closed')).toEqual([['1', '1001']])
      expect(idsOf(partner, 'location.removed')).toEqual([['4']])
      expect(receivedOf('location.merged')).not.toEqual([])
    })
    expect(receivedOf('location.merged')[0]!.event.data.locations).toEqual([{ id: '2', merged_into: '3' }])
    for (const { id } of [scoped, all]) await json('webhooks', 'remove', id)
  })
})

describe('the admin API', () => {
  const url = () => `${receiver.url}/api`
  const types = ['key.created']

  test('adds, changes, tests and removes a webhook; its secret is shown once and stored nowhere in clear', async () => {
    const admin = adminClient(world, await createToken(world, ['webhooks:write']))
    const made = await admin.send('POST', '/webhooks', { url: url(), types })
    expect(made).toMatchObject({
      status: 201,
      body: { state: 'active', secret: expect.stringMatching(/^whsec_/), revision: 1 },
    })
    const { id, secret } = made.body as unknown as { id: string; secret: string }
    const shown = await admin.get(`/webhooks/${id}`)
    expect(shown.body).not.toHaveProperty('secret')
    expect(await admin.send('PATCH', `/webhooks/${id}`, { state: 'paused' })).toMatchObject({ status: 428 })
    const paused = await admin.send(
      'PATCH',
      `/webhooks/${id}`,
      { state: 'paused' },
      { 'If-Match': shown.headers.etag! },
    )
    expect(paused).toMatchObject({ status: 200, body: { state: 'paused', revision: 2 } })
    const stale = await admin.send('PATCH', `/webhooks/${id}`, { types: ['key.revoked'] }, { 'If-Match': '"1"' })
    expect(stale).toMatchObject({ status: 412, body: { code: 'changed_meanwhile', current: { state: 'paused' } } })
    expect((await admin.send('POST', `/webhooks/${id}/test`)).body).toMatchObject({ delivered: true })
    expect(await admin.send('POST', '/webhooks', { url: 'ftp://x', types })).toMatchObject({ status: 400 })
    // What partners ask for concerns staff.
    const asked = { url: url(), types: ['upgrade.requested'], partner_id: 'tester' }
    expect(await admin.send('POST', '/webhooks', asked)).toMatchObject({ body: { code: 'event_type_unknown' } })
    expect(await admin.send('POST', '/webhooks', { url: url(), types: ['no.such'] })).toMatchObject({
      status: 400,
      body: { code: 'event_type_unknown' },
    })
    const files = readdirSync(world.config.data, { recursive: true, withFileTypes: true }).filter(one => one.isFile())
    const holding = files.filter(({ parentPath, name }) =>
      readFileSync(join(parentPath, name), 'latin1').includes(secret),
    )
    expect(holding).toEqual([])
    expect(await admin.send('DELETE', `/webhooks/${id}`, undefined, { 'If-Match': '*' })).toMatchObject({ status: 204 })
    expect((await admin.get(`/webhooks/${id}`)).status).toBe(404)
  })

  test('a token of one partner sees the webhooks, events and deliveries of that partner alone', async () => {
    const [ours, others] = [await makePartner('One'), await makePartner('Two')]
    const mine = adminClient(world, await createToken(world, ['webhooks:write'], ['--partner', ours]))
    const foreign = await addHook('foreign', '--partner', others, '--type', 'key.created')
    const own = await mine.send('POST', '/webhooks', { url: url(), types })
    expect(own).toMatchObject({ status: 201, body: { partner_id: ours } })
    for (const partner of [others, ours]) await makeKey(partner)
    const delivery = await eventually(async () => {
      const { data } = await json<Deliveries>('webhooks', 'deliveries', foreign.id)
      expect(data).toHaveLength(1)
      return data[0]!
    })
    await eventually(async () => expect((await mine.get('/deliveries')).body.data).toHaveLength(1))
    expect((await mine.get('/webhooks')).body.data).toMatchObject([{ id: own.body.id }])
    const { data: events } = (await mine.get('/events?limit=200')).body as unknown as {
      data: { partner_id?: string }[]
    }
    expect(new Set(events.map(event => event.partner_id))).toEqual(new Set([ours]))
    const unknown = (path: string, id: string) => [path.replace('ID', id), path.replace('ID', 'webhook_none')]
    for (const [method, path, id] of [
      ['GET', '/webhooks/ID', foreign.id],
      ['POST', '/webhooks/ID/test', foreign.id],
      ['POST', '/deliveries/ID/redeliver', delivery.id],
      ['GET', '/deliveries?webhook_id=ID', foreign.id],
    ] as const) {
      const [one, other] = unknown(path, id)
      const [theirs, none] = [await mine.send(method, one!), await mine.send(method, other!)]
      expect([path, theirs.status]).toEqual([path, 404])
      const masked = (text: string) =>
        text
          .replaceAll(id, '')
          .replaceAll('webhook_none', '')
          .replace(/"request_id":"[^"]*"/, '')
      expect(masked(theirs.text)).toBe(masked(none.text))
    }
    expect(await mine.send('POST', '/webhooks', { url: url(), types: ['import.finished'] })).toMatchObject({
      status: 400,
    })
    expect(await mine.send('POST', '/webhooks', { url: url(), types, partner_id: others })).toMatchObject({
      status: 404,
    })
  })
})

test('each change is a line of the audit, without secrets', async () => {
  const { audit: lines } = await json<{ audit: { action: string; after?: Record<string, unknown> }[] }>('audit', 'list')
  const actions = new Set(lines.map(({ action }) => action).filter(action => /webhook|delivery/.test(action)))
  expect(actions).toEqual(
    new Set(['webhook.add', 'webhook.change', 'webhook.rotate', 'webhook.remove', 'delivery.repeat']),
  )
  expect(lines.find(({ action }) => action === 'webhook.add')!.after).toMatchObject({ secret: true })
})
