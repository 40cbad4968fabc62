/** A full disk: the service refuses requests that it cannot count, and recovers automatically (R-28; issue C). */
import { appendFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { periplus, type Served, serve } from './cli.ts'
import { send } from './http-client.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { expectValidReply } from './scenario.ts'
import { smallDisk } from './small-disk.ts'
import { configFor, importRows, makeKey } from './world.ts'

const { path: disk, mounted } = smallDisk(24)

const ballast = join(disk, 'ballast')
/** Fills the disk to the last free block. */
function fill(): void {
  for (const size of [1_000_000, 4096]) {
    try {
      for (;;) appendFileSync(ballast, Buffer.alloc(size))
    } catch (error) {
      expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC')
    }
  }
}

describe.skipIf(!mounted)('a full disk', () => {
  const data = join(disk, 'data')
  const config = configFor(data)
  let server: Served
  let receiver: Receiver
  let secret: string
  let acknowledged = 0

  const call = async (path = '/locations?ids=1,2,3') => {
    const reply = await send(server.url, path, { headers: { 'X-API-Key': secret } })
    expectValidReply(reply)
    if (reply.status === 200) acknowledged += Number(reply.headers['x-billed-units'])
    return reply
  }
  const ready = async () => send(server.url, '/readyz')
  const units = async () =>
    (await periplus(['usage', '--data', data, '--json'])).json<{ units: number } & Record<string, unknown>>().units

  beforeAll(async () => {
    const places = [1, 2, 3].map(id => ({ id, name: `Place ${id}`, lat: 1, lon: 1 }))
    await importRows(config, 'location', places)
    secret = (await makeKey(config, { agreement: { rate: 1000, burst: 1000, quota: 100_000 } })).secret
    server = await serve(data, [], { PERIPLUS_WEBHOOKS_ALLOW_PRIVATE: 'true' })
    receiver = await startReceiver()
    const env = { PERIPLUS_WEBHOOKS_ALLOW_PRIVATE: 'true' }
    await periplus(['webhooks', 'add', receiver.url, '--type', 'journal.failing', '--data', data], { env })
  })
  afterAll(async () => {
    await server.stop()
    await receiver.close()
  })

  test('refuses requests that it cannot count, does not bill them, and reports the reason', async () => {
    expect((await call()).status).toBe(200)
    fill()
    // The last block of the journal still has room for some requests.
    await expect.poll(async () => (await call()).status, { interval: 1 }).toBe(503)
    for (const path of ['/locations?ids=1,2,3', '/locations/1', '/locations/99', '/catalog/locations/1']) {
      const reply = await call(path)
      expect(reply.headers).toMatchObject({ 'retry-after': '5', 'x-billed-units': '0' })
      expect([reply.status, reply.json()]).toEqual([
        503,
        expect.objectContaining({
          message: 'Requests cannot be counted at the moment, so the service refuses them.',
          detail: expect.stringContaining('ENOSPC'),
        }),
      ])
      expect(reply.headers.ratelimit).toContain(`"daily";r=${100_000 - acknowledged};`)
    }
    const readiness = await ready()
    expect([readiness.status, readiness.text]).toEqual([503, expect.stringContaining('ENOSPC')])
    expect((await send(server.url, '/healthz')).status).toBe(200)
    expect((await send(server.url, '/locations/1')).status).toBe(401)
    await expect.poll(server.log).toContain(`"${join(data, 'journal')} cannot be written: its disk is full.`)
  })

  test('serves again once space is available, without a restart and without a request', async () => {
    rmSync(ballast)
    await expect.poll(async () => (await ready()).status).toBe(200)
    const reply = await call()
    expect(reply.status).toBe(200)
    expect(reply.headers.ratelimit).toContain(`"daily";r=${100_000 - acknowledged};`)
    expect(await units()).toBe(acknowledged)
    await expect.poll(server.log).toContain('The usage journal can be written again.')
  })

  test('sends the event of a failing journal, even if only after the disk has space again', async () => {
    const types = () => receiver.received.map(({ event }) => event.type)
    await expect.poll(types).toEqual(['journal.failing'])
  })

  test('bills exactly the answered requests after a kill on a full disk', async () => {
    fill()
    await expect.poll(async () => (await call()).status, { interval: 1 }).toBe(503)
    await server.stop('SIGKILL')
    rmSync(ballast)
    server = await serve(data)
    expect((await call()).status).toBe(200)
    expect(await units()).toBe(acknowledged)
    await expect
      .poll(async () => (await periplus(['verify', '--data', data, '--json'])).json())
      .toEqual({ ok: true, problems: [] })
  })
})
