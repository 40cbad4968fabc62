/** Tests that slow clients get 408 and are closed within 15 s, without delaying other clients. */
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { timeOuts } from '../../src/http/wire/time-outs.ts'
import { parsed } from '../http-client.ts'
import { startWorld, type World } from '../world.ts'

const original = { ...timeOuts }
let world: World
beforeAll(async () => {
  // All time-outs of the server are shortened to a fifth.
  Object.assign(timeOuts, Object.fromEntries(Object.entries(original).map(([name, ms]) => [name, ms / 5])))
  world = await startWorld({}, [{ id: 1, name: 'Place', lat: 1, lon: 1 }])
})
afterAll(async () => {
  Object.assign(timeOuts, original)
  await world.close()
})

/** Sends `begin`, then `drop` repeatedly until the server closes; returns everything the server has sent. */
function slowClient(begin: string, drop: string): Promise<string> {
  const { hostname, port } = new URL(world.url)
  let interval: NodeJS.Timeout | undefined
  const socket: Socket = connect(Number(port), hostname, () => {
    socket.write(begin)
    interval = setInterval(() => drop !== '' && socket.writable && socket.write(drop), 400)
  })
  let received = ''
  socket.on('data', part => {
    received += part.toString()
  })
  // The client may write after the server has closed.
  socket.on('error', () => {})
  return new Promise(resolve => {
    socket.on('close', () => {
      clearInterval(interval)
      resolve(received)
    })
  })
}

const line = 'GET /locations/1?version=1 HTTP/1.1\r\nHost: a\r\n'
const kinds = [
  { name: 'endless headers', begin: line, drop: 'X-A: b\r\n', status: 408 },
  { name: 'an endless request line', begin: 'GET /loc', drop: 'a', status: 408 },
  { name: 'no bytes', begin: '', drop: '', status: 408 },
  {
    name: 'an endless chunked body',
    begin: `${line}Transfer-Encoding: chunked\r\n\r\n`,
    drop: '1\r\na\r\n',
    status: 408,
  },
  {
    name: 'a body slower than its Content-Length',
    begin: `${line}Content-Length: 100\r\n\r\n`,
    drop: 'a',
    status: 401,
  },
]

test('the time-outs close a slow client within 15 s', () => {
  const longestMs = Math.max(original.headersTimeout, original.requestTimeout) + original.connectionsCheckingInterval
  expect(longestMs).toBeLessThanOrEqual(15_000)
})

test('answers 200 slow clients and closes them while serving others', async () => {
  const clients = Array.from({ length: 200 }, (_, i) => {
    const kind = kinds[i % kinds.length]!
    return slowClient(kind.begin, kind.drop).then(received => ({ kind, got: received }))
  })
  for (let i = 0; i < 100; i++) expect((await world.get('/locations/1?version=1')).status).toBe(200)
  for (const { kind, got: received } of await Promise.all(clients)) {
    const { status, headers, body } = parsed(received)
    expect({ kind: kind.name, status }, received).toEqual({ kind: kind.name, status: kind.status })
    expect(headers['content-type']).toBe('application/problem+json')
    expect(JSON.parse(body)).toMatchObject({ status: kind.status, request_id: headers['x-request-id'] })
    // Exactly one response: a client could take further bytes for the response to its next request.
    expect(received.match(/HTTP\/1\.1 /g)).toHaveLength(1)
  }
  expect((await world.get('/locations/1?version=1')).status).toBe(200)
})
