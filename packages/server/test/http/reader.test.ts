/**
 * The reader of simple GETs in front of Node's HTTP server: whatever bytes arrive, clients receive what they receive
 * without it. `npm run soak` compares more requests: PERIPLUS_REQUESTS, PERIPLUS_SEED.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { composeServer } from '../../src/compose/server.ts'
import { eventually } from '../eventually.ts'
import { picker } from '../hostile-requests.ts'
import { exchange, parsed, send } from '../http-client.ts'
import { mutatedRequest } from '../mutated-requests.ts'
import { searchable } from '../searchable.ts'
import { startWorld, type World } from '../world.ts'

const total = Number(process.env.PERIPLUS_REQUESTS ?? 1000)
const seed = Number(process.env.PERIPLUS_SEED ?? 20_261_122)

let world: World
beforeAll(async () => {
  world = await startWorld({ 'server.fastPath': true, 'server.publicUrl': 'https://places.example' })
  await searchable(world)
})
afterAll(() => world.close())

/** Removes what two answers to the same bytes need not share: times, ids, and what is left of limits. */
const comparable = (received: string): string =>
  received
    .replace(/^Date: .*\r$/gm, 'Date: D')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'ID')
    .replace(/^(RateLimit: .*)\r$/gm, (_, limits: string) => limits.replace(/\b[rt]=\d+/g, ''))

const head = () => `Host: a\r\nX-API-Key: ${world.key}\r\n\r\n`
const get = (target: string) => `GET ${target} HTTP/1.1\r\n${head()}`

/** Opens a connection; `received` returns everything that it has received. */
async function open(): Promise<{ readonly socket: Socket; readonly received: () => string }> {
  const { hostname, port } = new URL(world.url)
  const socket = connect(Number(port), hostname)
  let text = ''
  socket.on('data', part => {
    text += part.toString('latin1')
  })
  await once(socket, 'connect')
  return { socket, received: () => text }
}

const countAnswers = (received: string): number => received.match(/HTTP\/1\.1 \d{3}/g)?.length ?? 0

interface Answers {
  readonly bytes: string
  readonly received: string
}

const cut = ({ bytes, received }: Answers, length: number): Answers => ({ bytes, received: received.slice(0, length) })

/** Sends random bytes of one to three requests at a time, and returns what is received. */
async function answersTo(url: string): Promise<Answers[]> {
  const pick = picker(seed)
  const answers: Answers[] = []
  for (let sent = 0; sent < total; sent++) {
    const bytes = Buffer.concat(Array.from({ length: 1 + pick(3) }, () => mutatedRequest(pick, world.key)))
    answers.push({ bytes: bytes.toString('latin1'), received: comparable(await exchange(url, bytes, true)) })
  }
  return answers
}

test('mutated and pipelined requests get the same bytes with and without it', { timeout: 0 }, async () => {
  const read = await answersTo(world.url)
  let unread: Answers[] = []
  await world.restart(async () => {
    const { server, ...rest } = world.config
    const service = await composeServer({ ...rest, server: { ...server, fastPath: false } }, { demo: false })
    await service.listen()
    await searchable({ get: target => send(world.url, target, { headers: { 'X-API-Key': world.key } }) })
    unread = await answersTo(world.url)
    await service.drain()
  })
  await searchable(world)
  // The limit of requests without a valid key depends on the time, and so does which answers are sent before the end of
  // the client's input.
  let same = 0
  for (const [i, one] of read.entries()) {
    const other = unread[i]!
    if ([one, other].some(({ received }) => received.includes('HTTP/1.1 429'))) continue
    if (one.received === other.received) same++
    const length = Math.min(one.received.length, other.received.length)
    expect(cut(one, length)).toEqual(cut(other, length))
  }
  expect(same).toBeGreaterThan(total / 2)
})

describe('a connection', () => {
  test('is read here as long as its requests are simple, and by Node afterwards', async () => {
    const { socket, received } = await open()
    const targets = ['/locations/1', '/locations/search?query=museo&size=1', '/locations/2', '/docs', '/locations/3']
    for (const [i, target] of targets.entries()) {
      socket.write(get(target))
      await eventually(async () => expect(countAnswers(received())).toBe(i + 1))
    }
    socket.destroy()
    expect(received()).not.toContain('HTTP/1.1 5')
  })

  test('takes requests in pieces, pipelined, and while a response is outstanding', async () => {
    const { socket, received } = await open()
    for (const byte of get('/locations/1')) {
      socket.write(byte)
      await nextTurn()
    }
    socket.write(get('/locations/1') + get('/locations/search?query=museo'))
    socket.write(get('/locations/2'))
    await eventually(async () => expect(countAnswers(received())).toBe(4))
    socket.destroy()

    const { socket: busy, received: answers } = await open()
    busy.setNoDelay()
    busy.write(get('/locations/search?query=prado'))
    await nextTurn()
    busy.write(get('/locations/1'))
    await nextTurn()
    busy.write('GET /locations/2 HT')
    await eventually(async () => expect(countAnswers(answers())).toBe(2))
    busy.write(`TP/1.1\r\n${head()}`)
    await eventually(async () => expect(countAnswers(answers())).toBe(3))
    busy.destroy()
  })

  test('with a repeated request line in its header fields is not mistaken for the previous request', async () => {
    const { socket, received } = await open()
    socket.write(get('/locations/1'))
    await eventually(async () => expect(countAnswers(received())).toBe(1))
    // It ends like the first request.
    socket.write(`GET /locations/2 HTTP/1.1\r\nContent-Length: ${get('/').length}\r\nHost: a\r\n\r\n`)
    socket.write(get('/locations/99'))
    await eventually(async () => expect(countAnswers(received())).toBeGreaterThan(1))
    socket.destroy()
    expect(parsed(received().slice(received().lastIndexOf('HTTP/1.1 '))).status).not.toBe(404)
  })

  test('ends with the client, and with the service', async () => {
    const { socket } = await open()
    socket.end()
    await once(socket, 'close')
    const idle = await open()
    idle.socket.write(get('/locations/1'))
    await eventually(async () => expect(countAnswers(idle.received())).toBe(1))
    const silent = await open()
    const ended = Promise.all([idle, silent].map(one => once(one.socket, 'close')))
    await world.restart()
    await ended
    expect((await world.get('/locations/1')).status).toBe(200)
  })
})
