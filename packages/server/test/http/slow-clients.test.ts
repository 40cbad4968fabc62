/** Who sends slowly is answered 408 and closed within 15 s, and holds up nobody meanwhile. */
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parsed } from '../http-client.ts'
import { startWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({}, [{ id: 1, name: 'Place', lat: 1, lon: 1 }])
})
afterAll(() => world.close())

interface Ended {
  readonly ms: number
  readonly got: string
}

/** Sends `begin`, then `drop` every two seconds, until the other side closes. */
function slowClient(begin: string, drop: string): Promise<Ended> {
  const { hostname, port } = new URL(world.url)
  const startMs = performance.now()
  const socket: Socket = connect(Number(port), hostname, () => socket.write(begin))
  const dropping = setInterval(() => drop !== '' && socket.writable && socket.write(drop), 2000)
  let got = ''
  socket.on('data', part => {
    got += part.toString()
  })
  // Written to after the other side has closed.
  socket.on('error', () => {})
  return new Promise(resolve => {
    socket.on('close', () => {
      clearInterval(dropping)
      resolve({ ms: performance.now() - startMs, got })
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

test('200 slow clients are closed within 15 s', async () => {
  const clients = Array.from({ length: 200 }, (_, i) => {
    const kind = kinds[i % kinds.length]!
    return slowClient(kind.begin, kind.drop).then(ended => ({ kind, ...ended }))
  })
  for (let i = 0; i < 100; i++) expect((await world.get('/locations/1?version=1')).status).toBe(200)
  for (const { kind, ms, got } of await Promise.all(clients)) {
    const { status, headers, body } = parsed(got)
    expect({ kind: kind.name, status }).toEqual({ kind: kind.name, status: kind.status })
    expect(ms).toBeLessThan(15_000)
    expect(headers['content-type']).toBe('application/problem+json')
    expect(JSON.parse(body)).toMatchObject({ status: kind.status, request_id: headers['x-request-id'] })
    // One answer, and nothing behind it that a client could take for the next one's.
    expect(got.match(/HTTP\/1\.1 /g)).toHaveLength(1)
  }
  expect((await world.get('/locations/1?version=1')).status).toBe(200)
})
