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
const documents = ['/', '/docs', '/docs/guide', '/docs/errors', '/docs/versions', '/openapi/v1.json', '/changelog/v1']
const files = ['/assets/periplus.css', '/docs/files/swagger-ui.css', '/docs/files/swagger-ui-bundle.js']

describe.each(['gzip', 'br'])('%s', coding => {
  test.each([...operations, ...documents, ...files])(
    '%s: the same body, its own validator, HEAD and 304 alike (R-26)',
    async path => {
      const plain = await get(path)
      const answer = await get(path, coding)
      expect([plain.status, answer.status]).toEqual([200, 200])
      expect(plain.headers).not.toHaveProperty('content-encoding')
      expect(decoded(answer)).toBe(plain.text)
      const big = plain.bytes.length >= 1024
      expect(answer.headers['content-encoding']).toBe(big ? coding : undefined)
      expect(answer.headers.etag === plain.headers.etag).toBe(!big)
      for (const reply of [plain, answer]) {
        expect(reply.headers['content-length']).toBe(String(reply.bytes.length))
        expect(reply.headers.vary).toContain('Accept-Encoding')
        expect(reply.headers.etag).toMatch(/^"[^"]+"$/)
      }
      if (big) expect(answer.bytes.length).toBeLessThan(plain.bytes.length * 0.8)

      const head = await get(path, coding, {}, 'HEAD')
      const lasting = ({ headers }: Reply) => {
        const { date: _, 'x-request-id': __, ratelimit: ___, ...rest } = headers
        return rest
      }
      expect([head.status, head.text]).toEqual([200, ''])
      expect(lasting(head)).toEqual(lasting(answer))

      for (const [held, told] of [
        [answer.headers.etag!, answer.headers.etag],
        [plain.headers.etag!, plain.headers.etag],
        [`"x", W/${plain.headers.etag}, ${answer.headers.etag}`, answer.headers.etag],
        ['*', answer.headers.etag],
      ] as const) {
        const again = await get(path, coding, { 'If-None-Match': held })
        expect([held, again.status, again.text, again.headers.etag]).toEqual([held, 304, '', told])
        expect(again.headers).not.toHaveProperty('content-encoding')
        expect(again.headers.vary).toBe(answer.headers.vary)
      }
      const other = coding === 'br' ? 'gzip' : 'br'
      if (big) expect((await get(path, other, { 'If-None-Match': answer.headers.etag! })).status).toBe(200)
    },
  )
})

test('a client that refuses the plain body gets even a small one coded, a refusal included', async () => {
  const encoding = 'identity;q=0, gzip'
  const refused = await get('/locations/abc?version=1', encoding)
  expect([refused.status, refused.headers['content-encoding']]).toEqual([400, 'gzip'])
  expect(JSON.parse(decoded(refused))).toMatchObject({ status: 400, request_id: refused.headers['x-request-id'] })
  expect(refused.headers['content-length']).toBe(String(refused.bytes.length))
  const unknown = await world.get('/nothing', { key: null, headers: { 'Accept-Encoding': encoding } })
  expect([unknown.status, unknown.headers['content-encoding']]).toEqual([404, 'gzip'])
})

test('a client that refuses everything gets the plain body', async () => {
  const { status, headers, text } = await get('/locations/1?version=1', 'identity;q=0')
  expect([status, headers['content-encoding'], JSON.parse(text).data.id]).toEqual([200, undefined, 1])
})

test('a coded answer is charged like a plain one, and one that is not modified is not', async () => {
  const answer = await get('/locations/1?version=1', 'br')
  expect(answer.headers['x-billed-units']).toBe('1')
  const again = await get('/locations/1?version=1', 'br', { 'If-None-Match': answer.headers.etag! })
  expect(again.headers['x-billed-units']).toBe('0')
})

test('a refusal depends on the key, too', async () => {
  const { headers } = await world.get('/locations/1', { key: null })
  expect(headers.vary).toBe('Accept-Encoding, X-API-Key, Authorization, Origin')
})

test('many at once in every coding give the same bytes for each', async () => {
  const first = await Promise.all(['br', 'gzip', undefined].map(coding => get(many, coding)))
  const replies = await Promise.all(Array.from({ length: 60 }, (_, i) => get(many, ['br', 'gzip', undefined][i % 3])))
  for (const [i, reply] of replies.entries()) expect(reply.bytes.equals(first[i % 3]!.bytes)).toBe(true)
})
