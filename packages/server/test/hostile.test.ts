import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { searchable } from './searchable.ts'
import { startWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({ 'keys.inQuery': true })
  await searchable(world)
})
afterAll(() => world.close())

const total = Number(process.env.HOSTILE ?? 20_000)
const naughtyStrings = readFileSync(fileURLToPath(new URL('./fixtures/fuzz/blns.txt', import.meta.url)), 'latin1')
  .split('\n')
  .filter(line => line !== '' && !line.startsWith('#'))

/** Returns a seeded generator of integers in [0, below) (xorshift32). */
function random(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}

const paths = [
  '/',
  '/locations',
  '/locations/1',
  '/locations/1/reviews',
  '/locations/search',
  '/catalog/locations/nearby',
  '/catalog/locations/1',
  '/feeds/a',
  '/feeds/locations/latest?kind=delta',
  '/feeds/locations/deltas?after=1',
  '/feeds/reviews/snapshots/2026-11-20.0-v1/files/part-00000.ndjson.zst',
  '/icons/ratings/4.5.svg',
  '/nowhere',
  '/docs/errors',
  '*',
  'http://a.example/locations/2',
]
const names = [
  'ids',
  'id',
  'ids[]',
  'locale',
  'page',
  'size',
  'limit',
  'language',
  'rating_min',
  'trip_type',
  'published_after_ts',
  'published_after_review_id',
  'sort_by',
  'version',
  'api-version',
  'key',
  'api_key',
  'query',
  'lat',
  'lon',
  'radius',
  'location_id',
  'geo_name',
  'category',
  'sort',
  '__proto__',
  'constructor',
  'toString',
  '',
]
const methods = [
  'GET',
  'GET',
  'GET',
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'OPTIONS',
  'PATCH',
  'TRACE',
  'PROPFIND',
  'M-SEARCH',
  'LOCK',
  'QUERY',
  'PURGE',
]
const headers = [
  'Accept',
  'Accept-Encoding',
  'If-None-Match',
  'If-Modified-Since',
  'Range',
  'Origin',
  'Cookie',
  'Host',
  'Content-Type',
  'Authorization',
  'X-API-Key',
  'X-Forwarded-For',
  'Expect',
  'Upgrade',
  'TE',
  'Accept-Language',
  'Via',
]
const oddBytes = [
  '*',
  '%',
  '%zz',
  '%00',
  '%ff',
  '%ED%A0%80',
  '%ud800',
  '%C0%AF',
  '..%2f..',
  '%0d%0aX: y',
  ';',
  '&&&',
  '==',
  '%25',
  '+',
  '[]',
  '[a][b]',
  '\xed\xa0\x80',
  '\xff\xfe',
  '#',
  '//',
]

interface HostileRequest {
  readonly bytes: Buffer
  readonly head: boolean
}

/** Generates a request that no well-behaved client would send. */
function hostileRequest(pick: (below: number) => number): HostileRequest {
  const of = <T>(list: readonly T[]): T => list[pick(list.length)]!
  // Most targets hold only characters that a request line allows; otherwise the tests would reach only the parser.
  const raw = () => (pick(4) === 0 ? of(oddBytes) : of(naughtyStrings))
  const inTarget = () => {
    const value = raw()
    const way = pick(3)
    if (way === 0) return encodeURIComponent(Buffer.from(value, 'latin1').toString('utf8').toWellFormed())
    if (way === 1) return value.replace(/[\0-\x20\x7f]/g, '+')
    return value.replace(
      /[\0-\x20\x7f-\xff]/g,
      character => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
    )
  }
  const path =
    pick(3) === 0
      ? `${of(['/', '/locations/', '/catalog/locations/', '/icons/', '/feeds/'])}${inTarget()}${of(['', '', '/reviews', '/'])}`
      : of(paths)
  const query = Array.from(
    { length: pick(4) },
    () =>
      `${pick(6) === 0 ? inTarget() : of(names)}=${pick(3) === 0 ? of(['1', '2', '20', '9223372036854775807', '0', '-1']) : inTarget()}`,
  )
  if (pick(8) === 0 && query[0] !== undefined) query.push(query[0], `${query[0]}x`)
  const long = pick(200) === 0 ? `&long=${'x'.repeat(of([7000, 9000, 65_536, 120_000, 200_000]))}` : ''
  const method = of(methods)
  const target = path + (query.length > 0 || long ? `?${query.join('&')}${long}` : '')
  const lines = [`${method} ${pick(100) === 0 ? raw() : target} HTTP/1.1`, 'Host: a']
  if (pick(5) > 0) lines.push(`X-API-Key: ${world.key}`)
  for (let i = pick(4); i > 0; i--)
    lines.push(`${of(headers)}: ${pick(3) === 0 ? raw() : raw().replace(/[\0-\x08\x0a-\x1f\x7f]/g, '')}`)
  if (pick(300) === 0) lines.push(`X-Long: ${'y'.repeat(of([15_000, 20_000, 140_000]))}`)
  const body = pick(10) === 0 ? raw().repeat(1 + pick(60)) : ''
  const chunked = body !== '' && pick(3) === 0
  if (chunked) lines.push('Transfer-Encoding: chunked')
  else if (body !== '' || pick(20) === 0) lines.push(`Content-Length: ${body.length}`)
  const sent = chunked ? `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n` : body
  return {
    bytes: Buffer.from(`${lines.join('\r\n')}\r\n\r\n${sent}`, 'latin1'),
    head: method === 'HEAD',
  }
}

interface RawResponse {
  readonly status: number
  readonly type: string | undefined
  readonly body: string
}

/** Sends requests in sequence over one connection, and reconnects when the server has closed it. */
async function sendInSequence(
  requests: readonly HostileRequest[],
  checkResponse: (request: HostileRequest, response: RawResponse | undefined) => void,
): Promise<void> {
  const { hostname, port } = new URL(world.url)
  let connection: ReturnType<typeof open> | undefined
  const open = () => {
    const socket = connect(Number(port), hostname)
    let buffer: Buffer = Buffer.alloc(0)
    let wake = () => {}
    const state = { ended: false }
    socket.on('data', (part: Buffer) => {
      buffer = buffer.length === 0 ? part : Buffer.concat([buffer, part])
      wake()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      state.ended = true
      wake()
    })
    const nextResponse = async (head: boolean): Promise<RawResponse | undefined> => {
      for (;;) {
        const response = parseResponse(head)
        if (response || state.ended) return response
        await new Promise<void>(resolve => {
          wake = resolve
        })
      }
    }
    const parseResponse = (head: boolean): RawResponse | undefined => {
      for (;;) {
        const end = buffer.indexOf('\r\n\r\n')
        if (end === -1) return undefined
        const top = buffer.toString('latin1', 0, end)
        const status = Number(top.slice(9, 12))
        if (status === 100) {
          buffer = buffer.subarray(end + 4)
          continue
        }
        const length =
          head || status === 304 || status === 204 ? 0 : Number(/\r\ncontent-length: (\d+)/i.exec(top)?.[1] ?? 0)
        if (buffer.length < end + 4 + length) return undefined
        const body = buffer.toString('utf8', end + 4, end + 4 + length)
        buffer = buffer.subarray(end + 4 + length)
        if (/\r\nconnection: close/i.test(top)) state.ended = true
        return { status, type: /\r\ncontent-type: ([^\r]+)/i.exec(top)?.[1], body }
      }
    }
    return { socket, nextResponse, state, left: () => buffer.length }
  }
  for (const request of requests) {
    if (!connection || connection.state.ended) connection = open()
    connection.socket.write(request.bytes)
    checkResponse(request, await connection.nextResponse(request.head))
    // Extra bytes mean that this request contained a second one (CR LF in a header): reconnect for the next.
    if (connection.left() > 0) connection.state.ended = true
    if (connection.state.ended) connection.socket.destroy()
  }
  connection?.socket.destroy()
}

test(`answers each of ${total} hostile requests without a 5xx, and every error as problem details`, async () => {
  const pick = random(20_260_131)
  const requests = Array.from({ length: total }, () => hostileRequest(pick))
  const seen = new Map<number, number>()
  const wrong: object[] = []
  const checkResponse = ({ bytes }: HostileRequest, response: RawResponse | undefined) => {
    const status = response?.status ?? 0
    seen.set(status, (seen.get(status) ?? 0) + 1)
    const report = (why: string) => wrong.push({ why, request: bytes.toString('latin1').slice(0, 600), got: response })
    if (!response || status === 0) return report('no response')
    if (status >= 500) return report('5xx')
    if (status >= 400 && response.type !== 'application/problem+json') return report('not problem details')
    if (status >= 400 && response.body !== '') {
      const problem = JSON.parse(response.body) as { status: number; message: string; request_id: string }
      if (problem.status !== status || !problem.message || !problem.request_id) report('incomplete problem details')
    }
  }
  const lanes = 8
  await Promise.all(
    Array.from({ length: lanes }, (_, lane) =>
      sendInSequence(
        requests.filter((_request, i) => i % lanes === lane),
        checkResponse,
      ),
    ),
  )
  expect(wrong.slice(0, 5)).toEqual([])
  expect([...seen.values()].reduce((sum, count) => sum + count, 0)).toBe(total)
  // The requests are diverse enough to reach every check of the server.
  if (total >= 4000)
    expect([...seen.keys()]).toEqual(expect.arrayContaining([200, 400, 401, 404, 405, 410, 413, 414, 431]))
  expect((await world.get('/locations/1')).status).toBe(200)
})
