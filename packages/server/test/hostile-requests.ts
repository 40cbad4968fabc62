/** Requests that no well-behaved client would send. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Returns an integer in [0, below). */
export type Picker = (below: number) => number

const naughtyStrings = readFileSync(fileURLToPath(new URL('./fixtures/fuzz/blns.txt', import.meta.url)), 'latin1')
  .split('\n')
  .filter(line => line !== '' && !line.startsWith('#'))

/** Returns a seeded generator of integers in [0, below) (xorshift32). */
export function picker(seed: number): Picker {
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

/** A request as bytes. */
export interface HostileRequest {
  readonly bytes: Buffer
  readonly head: boolean
}

/** Generates a request that no well-behaved client would send. */
export function hostileRequest(pick: Picker, key: string): HostileRequest {
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
  if (pick(5) > 0) lines.push(`X-API-Key: ${key}`)
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
