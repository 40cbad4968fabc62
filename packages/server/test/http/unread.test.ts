/** Clients that do not read their answers, and clients with many connections. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openLayout } from '../../src/store/folder/layout.ts'
import { idOf, putSnapshot } from '../feeds/hand-made.ts'
import { send } from '../http-client.ts'
import { importRows, makeKey, startWorld, type World } from '../world.ts'

const place = { id: 1, name: 'Place', lat: 1, lon: 1 }
/** A page of reviews that no buffer of the kernel holds. */
const reviews = Array.from({ length: 100 }, (_, i) => ({
  id: i + 1,
  location_id: 1,
  rating: 4,
  text: `${i} ${'long '.repeat(14_000)}`,
}))
const page = '/locations/1/reviews?version=1&size=100'
const snapshot = { feed: 'locations', version: '1', sequence: 1, bytes: 20_000_000 } as const
const file = `/feeds/locations/snapshots/${idOf(snapshot)}/files/part-00000.ndjson.zst`

let world: World
beforeAll(async () => {
  world = await startWorld({ 'server.adminPort': 0, 'server.writeTimeoutMs': 300, 'server.maxUnsentMbPerKey': 10 }, [
    place,
  ])
  await importRows(world.config, 'review', reviews)
  putSnapshot(openLayout(world.config.data).feeds, snapshot)
})
afterAll(() => world.close())

/** Returns the value of a metric of a world; 0 if it has no sample. */
async function metric(name: string, { adminUrl } = world): Promise<number> {
  const { text } = await send(adminUrl!, '/metrics')
  const line = text.split('\n').find(one => one.startsWith(`${name} `))
  return Number(line?.slice(name.length + 1) ?? 0)
}

const stalled = () => metric('periplus_connections_ended_total{reason="unread"}')
const refused = (of: World) => metric('periplus_connections_ended_total{reason="address"}', of)

const request = (path: string, key = world.key, more = '') =>
  `GET ${path} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\n${more}\r\n`

/** Opens a connection that sends requests and reads nothing. */
async function unreadConnection(bytes: string, { url } = world): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname).pause()
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(bytes)
  return socket
}

/** Resolves when a socket has closed, also after a reset. */
const closed = (socket: Socket) => new Promise(resolve => socket.on('close', resolve))

/** Reads from a socket until the server closes it. */
async function readAll(socket: Socket): Promise<Buffer> {
  const parts: Buffer[] = []
  socket.on('data', part => parts.push(part as Buffer))
  socket.resume()
  await closed(socket)
  return Buffer.concat(parts)
}

describe('a client that does not read', () => {
  test('loses its connection, holds one answer at most, and is charged for no other', async () => {
    const before = await stalled()
    const units = 'periplus_units_total{operation="listReviews"}'
    const unitsBefore = await metric(units)
    const { length } = Buffer.from((await world.get(page)).text)
    expect(length).toBeGreaterThan(6_000_000)
    const socket = await unreadConnection(request(page).repeat(200))
    const seen: number[] = []
    await expect
      .poll(async () => {
        seen.push(await metric('periplus_unsent_bytes'))
        return stalled()
      })
      .toBe(before + 1)
    expect(Math.max(...seen)).toBeGreaterThan(0)
    expect(Math.max(...seen)).toBeLessThanOrEqual(length)
    expect(await metric('periplus_unsent_bytes')).toBe(0)
    // The call above, and the first of the connection.
    expect(await metric(units)).toBe(unitsBefore + 2)
    expect((await readAll(socket)).length).toBeLessThan(length)
  })

  test('cannot make the service keep more than 10,000 requests', async () => {
    const before = await metric('periplus_connections_ended_total{reason="pipelining"}')
    const many = request(page) + 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(1600)
    const sockets: Socket[] = []
    // A slow machine ends the first connections, as clients that do not read, before it has read the last one.
    const sendMany = async () => {
      sockets.push(...(await Promise.all(Array.from({ length: 8 }, () => unreadConnection(many)))))
      return metric('periplus_connections_ended_total{reason="pipelining"}')
    }
    await expect.poll(sendMany).toBeGreaterThan(before)
    expect((await world.get('/healthz')).status).toBe(200)
    for (const socket of sockets) socket.destroy()
    await expect.poll(() => metric('periplus_unsent_bytes')).toBe(0)
  })

  test('loses the download of a feed file, which frees its place', async () => {
    const before = await stalled()
    const sockets = await Promise.all(Array.from({ length: 4 }, () => unreadConnection(request(file))))
    await expect.poll(stalled).toBe(before + 4)
    expect((await world.get(file)).status).toBe(200)
    for (const socket of sockets) socket.destroy()
  })
})

describe('a client that reads', () => {
  test('gets the answers to pipelined requests in order', async () => {
    const paths = Array.from({ length: 400 }, (_, i) =>
      i % 3 === 0 ? '/locations/1?version=1' : `/locations/${i + 2}?version=1`,
    )
    const close = request('/healthz', world.key, 'Connection: close\r\n')
    const socket = await unreadConnection(paths.map(path => request(path)).join('') + close)
    const statuses = [...(await readAll(socket)).toString().matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) =>
      Number(status),
    )
    expect(statuses).toEqual([...paths.map((_, i) => (i % 3 === 0 ? 200 : 404)), 200])
  })

  test('gets large answers and files on one connection, a piece at a time', async () => {
    const socket = await unreadConnection(
      request(page) + request(file) + request(page, world.key, 'Connection: close\r\n'),
    )
    let length = 0
    socket.on('readable', () => {
      length += (socket.read() as Buffer | null)?.length ?? 0
    })
    await closed(socket)
    expect(length).toBeGreaterThan(2 * 6_000_000 + snapshot.bytes)
  })
})

describe('a client that waits with reading', () => {
  let other: World
  beforeAll(async () => {
    other = await startWorld({ 'server.maxUnsentMbPerKey': 1, 'server.adminPort': 0 }, [place])
    await importRows(other.config, 'review', reviews)
  })

  test('uses up the bound of its key only, until it reads', async () => {
    const socket = await unreadConnection(request(page, other.key), other)
    await expect.poll(() => metric('periplus_unsent_bytes', other)).toBeGreaterThan(0)
    const full = await other.get('/locations/1?version=1')
    expect([full.status, full.headers['retry-after'], full.headers['x-billed-units']]).toEqual([429, '20', '0'])
    expect(full.json()).toMatchObject({
      type: expect.stringMatching(/#rate_limited$/),
      'violated-policies': ['unread'],
    })
    const { secret: another } = await makeKey(other.config)
    expect((await other.get('/locations/1?version=1', { key: another })).status).toBe(200)
    socket.destroy()
    await expect.poll(async () => (await other.get('/locations/1?version=1')).status).toBe(200)
  })

  test('gets its whole answer although the service stops (R-55)', async () => {
    const { length } = (await other.get(page)).bytes
    const socket = await unreadConnection(request(page, other.key), other)
    await expect.poll(() => metric('periplus_unsent_bytes', other)).toBeGreaterThan(0)
    const ended = other.close()
    const outcome = () =>
      other.get('/healthz').then(
        () => 'answered',
        (error: NodeJS.ErrnoException) => error.code,
      )
    await expect.poll(outcome).toBe('ECONNREFUSED')
    expect((await readAll(socket)).length).toBeGreaterThan(length)
    await ended
  })
})

describe('connections of one address', () => {
  const open = async (of: World, count: number) => {
    const sockets = await Promise.all(Array.from({ length: count }, () => unreadConnection('', of)))
    return { sockets, close: () => void sockets.map(socket => socket.destroy()) }
  }

  test('are bounded: further ones are closed at once, and one that ends frees its place', async () => {
    const few = await startWorld({ 'server.maxConnectionsPerAddress': 5, 'server.adminPort': 0 }, 'empty')
    const { sockets, close } = await open(few, 9)
    await expect.poll(() => refused(few)).toBe(4)
    expect(await metric('periplus_open_connections', few)).toBe(5)
    for (const socket of sockets) socket.resume()
    await expect.poll(() => sockets.filter(socket => socket.destroyed).length).toBe(4)
    close()
    await expect.poll(() => metric('periplus_open_connections', few)).toBe(0)
    expect((await few.get('/healthz')).status).toBe(200)
    await few.close()
  })

  test('have no bound for a trusted proxy', async () => {
    const flags = {
      'server.maxConnectionsPerAddress': 1,
      'server.trustedProxies': ['127.0.0.1'],
      'server.adminPort': 0,
    }
    const behind = await startWorld(flags, 'empty')
    const { close } = await open(behind, 9)
    await expect.poll(() => metric('periplus_open_connections', behind)).toBe(9)
    expect(await refused(behind)).toBe(0)
    close()
    await behind.close()
  })
})
