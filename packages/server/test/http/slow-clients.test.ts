/** Slow clients are answered 408 and closed within 15 s, and delay no other client meanwhile. */
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { parsed } from '../http-client.ts'
import { startWorld, type World } from '../world.ts'

const timeOutsFile = '../../src/http/wire/time-outs.ts'
type TimeOuts = typeof import('../../src/http/wire/time-outs.ts')
/** A fifth of what is served with. */
vi.mock(import('../../src/http/wire/time-outs.ts'), async original => {
  const { timeOuts } = await original()
  const shortened = Object.fromEntries(Object.entries(timeOuts).map(([name, ms]) => [name, ms / 5]))
  return { timeOuts: shortened as unknown as TimeOuts['timeOuts'] }
})

let world: World
beforeAll(async () => {
  world = await startWorld({}, [{ id: 1, name: 'Place', lat: 1, lon: 1 }])
})
afterAll(() => world.close())

/** Sends `begin`, then `drop` again and again until the other side closes; returns what the other side has sent. */
function slowClient(begin: string, drop: string): Promise<string> {
  const { hostname, port } = new URL(world.url)
  let dropping: NodeJS.Timeout | undefined
  const socket: Socket = connect(Number(port), hostname, () => {
    socket.write(begin)
    dropping = setInterval(() => drop !== '' && socket.writable && socket.write(drop), 400)
  })
  let got = ''
  socket.on('data', part => {
    got += part.toString()
  })
  // Written to after the other side has closed.
  socket.on('error', () => {})
  return new Promise(resolve => {
    socket.on('close', () => {
      clearInterval(dropping)
      resolve(got)
    })
  })
}

const line = 'GET /locations/1?version=1 HTTP/1.1\r\nHost: a\r\n'
const kinds = [
  { name: 'headers that never end', begin: line, drop: 'X-A: b\r\n', status: 408 },
  { name: 'a request line that never ends', begin: 'GET /loc', drop: 'a', status: 408 },
  { name: 'nothing at all', begin: '', drop: '', status: 408 },
  {
    name: 'a chunked body that never ends',
    begin: `${line}Transfer-Encoding: chunked\r\n\r\n`,
    drop: '1\r\na\r\n',
    status: 408,
  },
  { name: 'a body that never comes', begin: `${line}Content-Length: 100\r\n\r\n`, drop: 'a', status: 401 },
]

test('the time-outs close a slow client within 15 s', async () => {
  const { timeOuts } = await vi.importActual<TimeOuts>(timeOutsFile)
  const longestMs = Math.max(timeOuts.headersTimeout, timeOuts.requestTimeout) + timeOuts.connectionsCheckingInterval
  expect(longestMs).toBeLessThanOrEqual(15_000)
})

test('200 slow clients are answered 408 and closed, while others are served', async () => {
  const clients = Array.from({ length: 200 }, (_, i) => {
    const kind = kinds[i % kinds.length]!
    return slowClient(kind.begin, kind.drop).then(got => ({ kind, got }))
  })
  for (let i = 0; i < 100; i++) expect((await world.get('/locations/1?version=1')).status).toBe(200)
  for (const { kind, got } of await Promise.all(clients)) {
    const { status, headers, body } = parsed(got)
    expect({ kind: kind.name, status }, got).toEqual({ kind: kind.name, status: kind.status })
    expect(headers['content-type']).toBe('application/problem+json')
    expect(JSON.parse(body)).toMatchObject({ status: kind.status, request_id: headers['x-request-id'] })
    // One answer, and nothing behind it that a client could take for the next one's.
    expect(got.match(/HTTP\/1\.1 /g)).toHaveLength(1)
  }
  expect((await world.get('/locations/1?version=1')).status).toBe(200)
})
