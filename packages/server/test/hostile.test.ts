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
const naughty = readFileSync(fileURLToPath(new URL('./fixtures/fuzz/blns.txt', import.meta.url)), 'latin1')
  .split('\n')
  .filter(line => line !== '' && !line.startsWith('#'))

/** A generator that always gives the same numbers (xorshift32). */
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
const odd = [
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

interface Hostile {
  readonly bytes: Buffer
  readonly head: boolean
}

/** One request that no good client would send. */
function hostile(pick: (below: number) => number): Hostile {
  const of = <T>(list: readonly T[]): T => list[pick(list.length)]!
  // What cannot stand in a request line stays out of it most of the time, so that more than the parser is tested.
  const raw = () => (pick(4) === 0 ? of(odd) : of(naughty))
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

interface Got {
  readonly status: number
  readonly type: string | undefined
  readonly body: string
}

/** Sends requests one after the other over one connection, a new one where the server has closed it. */
async function inTurn(
  requests: readonly Hostile[],
  judge: (request: Hostile, got: Got | undefined) => void,
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
    const answer = async (head: boolean): Promise<Got | undefined> => {
      for (;;) {
        const got = take(head)
        if (got || state.ended) return got
        await new Promise<void>(resolve => {
          wake = resolve
        })
      }
    }
    const take = (head: boolean): Got | undefined => {
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
    return { socket, answer, state, left: () => buffer.length }
  }
  for (const request of requests) {
    if (!connection || connection.state.ended) connection = open()
    connection.socket.write(request.bytes)
    judge(request, await connection.answer(request.head))
    // Bytes after an answer were another request inside this one (CR LF in a header): a new connection for the next.
    if (connection.left() > 0) connection.state.ended = true
    if (connection.state.ended) connection.socket.destroy()
  }
  connection?.socket.destroy()
}

test(`${total} hostile requests: each is answered, none with a 5xx, every error a problem`, async () => {
  const pick = random(20_260_131)
  const requests = Array.from({ length: total }, () => hostile(pick))
  const seen = new Map<number, number>()
  const wrong: object[] = []
  const judge = ({ bytes }: Hostile, got: Got | undefined) => {
    const status = got?.status ?? 0
    seen.set(status, (seen.get(status) ?? 0) + 1)
    const complain = (why: string) => wrong.push({ why, request: bytes.toString('latin1').slice(0, 600), got })
    if (!got || status === 0) return complain('no answer')
    if (status >= 500) return complain('5xx')
    if (status >= 400 && got.type !== 'application/problem+json') return complain('no problem')
    if (status >= 400 && got.body !== '') {
      const problem = JSON.parse(got.body) as { status: number; message: string; request_id: string }
      if (problem.status !== status || !problem.message || !problem.request_id) complain('not a whole problem')
    }
  }
  const lanes = 8
  await Promise.all(
    Array.from({ length: lanes }, (_, lane) =>
      inTurn(
        requests.filter((_request, i) => i % lanes === lane),
        judge,
      ),
    ),
  )
  expect(wrong.slice(0, 5)).toEqual([])
  expect([...seen.values()].reduce((sum, count) => sum + count, 0)).toBe(total)
  // The requests were various enough to reach every gate.
  if (total >= 4000)
    expect([...seen.keys()]).toEqual(expect.arrayContaining([200, 400, 401, 404, 405, 410, 413, 414, 431]))
  expect((await world.get('/locations/1')).status).toBe(200)
})
