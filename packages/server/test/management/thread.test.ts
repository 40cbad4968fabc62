import { once } from 'node:events'
import { connect } from 'node:net'
import type { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, test } from 'vitest'
import { eventually } from '../eventually.ts'
import { send } from '../http-client.ts'
import { freePort, startWorld, type World } from '../world.ts'
import { adminClient, createToken } from './admin-client.ts'

/** Threads that this process has started, newest last. An ended worker loses its name, so the name is stored. */
const workers: { readonly name: string | null; readonly worker: Worker }[] = []
process.on('worker', worker => workers.push({ name: worker.threadName, worker }))
const threads = () => workers.filter(({ name }) => name === 'management').map(({ worker }) => worker)

let world: World
afterEach(async () => {
  await world.close()
  workers.length = 0
})

describe('the management thread', () => {
  test('starts with its first request, and starts again after its end; the partner API answers meanwhile', async () => {
    world = await startWorld({}, 'empty')
    expect(threads()).toHaveLength(0)
    const admin = adminClient(world, await createToken(world))
    // On a busy machine a request may be asked to try again while the thread starts.
    const listPartners = async () => (await admin.get('/partners')).status
    await expect.poll(listPartners).toBe(200)
    await threads()[0]!.terminate()
    expect((await world.get('/locations/1')).status).toBe(404)
    await expect.poll(listPartners).toBe(200)
    expect(threads()).toHaveLength(2)
    // The second end in a row is followed by a wait, and each further one by a longer one. The request may come after a
    // wait.
    const reply = await eventually(async () => {
      await threads().at(-1)!.terminate()
      const refused = await send(world.url, '/portal')
      expect(refused.status).toBe(503)
      return refused
    })
    expect((reply.json() as { title: string }).title).toBe('Service Unavailable')
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
    expect((await world.get('/locations/1')).status).toBe(404)
    await expect.poll(listPartners).toBe(200)
  })

  test('is not there if the management server is disabled', async () => {
    world = await startWorld({ 'management.enabled': false }, 'empty')
    for (const target of ['/portal', '/console', '/admin/v1/partners', '/mcp', '/admin/v1/openapi.json'])
      expect([target, (await send(world.url, target)).status]).toEqual([target, 404])
    expect(threads()).toHaveLength(0)
  })

  test('listens on a port of its own, and no longer on that of the partner API', async () => {
    const port = await freePort()
    world = await startWorld({ 'management.port': port, 'server.basePath': '/geo' }, 'empty')
    const own = { url: `http://127.0.0.1:${port}/geo` }
    const token = await createToken(world)
    const list = (headers = {}) =>
      send(own.url, '/geo/admin/v1/partners', { headers: { Authorization: `Bearer ${token}`, ...headers } })
    expect((await list()).status).toBe(200)
    const forged = await list({ 'X-Request-Id': 'forged' })
    expect(forged.headers['x-request-id']).not.toBe('forged')
    expect((await send(world.url, '/geo/admin/v1/partners')).status).toBe(404)
    const { text } = await send(own.url, '/geo/admin/v1/nothing')
    expect(JSON.parse(text)).toMatchObject({
      type: `${own.url}/docs/errors#path_unknown`,
      instance: '/admin/v1/nothing',
    })
  })

  test('is reached below the base path', async () => {
    world = await startWorld({ 'server.basePath': '/geo' }, 'empty')
    const headers = { Authorization: `Bearer ${await createToken(world)}`, 'Content-Type': 'application/json' }
    const made = await send(world.url, '/geo/admin/v1/partners', { method: 'POST', headers, body: '{"name":"A"}' })
    expect([made.status, made.headers.location]).toMatchObject([
      201,
      expect.stringMatching(/^\/geo\/admin\/v1\/partners\//),
    ])
    expect((await send(world.url, '/admin/v1/partners', { headers })).status).toBe(404)
  })

  test('a client that stops in the middle of a body harms nobody', async () => {
    world = await startWorld({}, 'empty')
    const token = await createToken(world)
    const { port } = new URL(world.url)
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(
      `POST /admin/v1/partners HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n` +
        'Content-Length: 100\r\n\r\n{"name":',
    )
    await once(socket, 'connect')
    const admin = adminClient(world, token)
    expect((await admin.get('/partners')).status).toBe(200)
    socket.resetAndDestroy()
    expect((await admin.get('/partners')).body.data).toHaveLength(1)
  })
})
