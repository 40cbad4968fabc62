import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Reply } from '../http-client.ts'
import { searchable } from '../searchable.ts'
import { startWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({ 'cors.origins': ['https://app.example'] })
  await searchable(world)
})
afterAll(() => world.close())

const get = (path: string, encoding?: string, more: Record<string, string> = {}, method = 'GET') =>
  world.get(path, { method, headers: { ...(encoding !== undefined && { 'Accept-Encoding': encoding }), ...more } })

const decoded = ({ headers, bytes }: Reply): string => {
  const coding = headers['content-encoding']
  if (coding === undefined) return bytes.toString()
  return (coding === 'br' ? brotliDecompressSync(bytes) : gunzipSync(bytes)).toString()
}

const many = `/locations?version=1&ids=${Array.from({ length: 40 }, (_, i) => i + 1).join(',')}`
const operations = [
  many,
  '/locations/1?version=1',
  '/catalog/locations/1?version=1',
  '/locations/search?version=1&query=hotel',
  '/locations/nearby?version=1&lat=40.41&lon=-3.69&radius=50&unit=KM',
  '/locations/1/reviews?version=1',
]
const documents = [
  '/',
  '/docs',
  '/docs/searchLocations',
  '/docs/guide',
  '/docs/errors',
  '/docs/versions',
  '/openapi/v1.json',
  '/changelog/v1',
]
const files = ['/assets/periplus.css', '/assets/call.js', '/docs/search.json']

describe.each(['gzip', 'br'])('%s', coding => {
  test.each([...operations, ...documents, ...files])(
    '%s: same body, separate ETag, consistent HEAD and 304 (R-26)',
    async path => {
      const plain = await get(path)
      const encoded = await get(path, coding)
      expect([plain.status, encoded.status]).toEqual([200, 200])
      expect(plain.headers).not.toHaveProperty('content-encoding')
      expect(decoded(encoded)).toBe(plain.text)
      const big = plain.bytes.length >= 1024
      expect(encoded.headers['content-encoding']).toBe(big ? coding : undefined)
      expect(encoded.headers.etag === plain.headers.etag).toBe(!big)
      for (const reply of [plain, encoded]) {
        expect(reply.headers['content-length']).toBe(String(reply.bytes.length))
        expect(reply.headers.vary).toContain('Accept-Encoding')
        expect(reply.headers.etag).toMatch(/^"[^"]+"$/)
      }
      if (big) expect(encoded.bytes.length).toBeLessThan(plain.bytes.length * 0.8)

      const head = await get(path, coding, {}, 'HEAD')
      const stableHeaders = ({ headers }: Reply) => {
        const { date: _, 'x-request-id': __, ratelimit: ___, ...rest } = headers
        return rest
      }
      expect([head.status, head.text]).toEqual([200, ''])
      expect(stableHeaders(head)).toEqual(stableHeaders(encoded))

      for (const [condition, expectedEtag] of [
        [encoded.headers.etag!, encoded.headers.etag],
        [plain.headers.etag!, plain.headers.etag],
        [`"x", W/${plain.headers.etag}, ${encoded.headers.etag}`, encoded.headers.etag],
        ['*', encoded.headers.etag],
      ] as const) {
        const again = await get(path, coding, { 'If-None-Match': condition })
        expect([condition, again.status, again.text, again.headers.etag]).toEqual([condition, 304, '', expectedEtag])
        expect(again.headers).not.toHaveProperty('content-encoding')
        expect(again.headers.vary).toBe(encoded.headers.vary)
      }
      const other = coding === 'br' ? 'gzip' : 'br'
      if (big) expect((await get(path, other, { 'If-None-Match': encoded.headers.etag! })).status).toBe(200)
    },
  )
})

test('encodes even small bodies and errors for a client that refuses identity', async () => {
  const encoding = 'identity;q=0, gzip'
  const refused = await get('/locations/abc?version=1', encoding)
  expect([refused.status, refused.headers['content-encoding']]).toEqual([400, 'gzip'])
  expect(JSON.parse(decoded(refused))).toMatchObject({ status: 400, request_id: refused.headers['x-request-id'] })
  expect(refused.headers['content-length']).toBe(String(refused.bytes.length))
  const unknown = await world.get('/nothing', { key: null, headers: { 'Accept-Encoding': encoding } })
  expect([unknown.status, unknown.headers['content-encoding']]).toEqual([404, 'gzip'])
})

test('sends the plain body to a client that refuses every coding', async () => {
  const { status, headers, text } = await get('/locations/1?version=1', 'identity;q=0')
  expect([status, headers['content-encoding'], JSON.parse(text).data.id]).toEqual([200, undefined, 1])
})

test('charges an encoded response like a plain one, and 304 nothing', async () => {
  const encoded = await get('/locations/1?version=1', 'br')
  expect(encoded.headers['x-billed-units']).toBe('1')
  const again = await get('/locations/1?version=1', 'br', { 'If-None-Match': encoded.headers.etag! })
  expect(again.headers['x-billed-units']).toBe('0')
})

test('varies a refusal by the key, too', async () => {
  const { headers } = await world.get('/locations/1', { key: null })
  expect(headers.vary).toBe('Accept-Encoding, X-API-Key, Authorization, API-Version, Origin')
})

test('returns the same bytes to concurrent requests in every coding', async () => {
  const first = await Promise.all(['br', 'gzip', undefined].map(coding => get(many, coding)))
  const replies = await Promise.all(Array.from({ length: 60 }, (_, i) => get(many, ['br', 'gzip', undefined][i % 3])))
  for (const [i, reply] of replies.entries()) expect(reply.bytes.equals(first[i % 3]!.bytes)).toBe(true)
})
