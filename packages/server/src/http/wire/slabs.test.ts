import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { send } from '../../../test/http-client.ts'
import { getMaxSyncBytes } from './coding.ts'
import { everyField } from './http-response.ts'
import { NodeResponse } from './node-response.ts'
import { computeEtag, RenderedBody } from './rendered.ts'
import { type Representation, represent } from './represent.ts'
import { allocateBody, joinResponse, releaseSlab } from './slabs.ts'
import type { UnsentResponses } from './unsent-responses.ts'

const text = 'a place in a list, '.repeat(200)

// A comparison by the test runner would print whole buffers.
const isFree = (body: Buffer): boolean => allocateBody(10).buffer === body.buffer

test.each([
  ['in a coding', text, { 'accept-encoding': 'gzip' }],
  ['in a coding that takes longer', text.repeat(getMaxSyncBytes('fast') / 3000), { 'accept-encoding': 'gzip' }],
  ['not at all', text, { 'if-none-match': computeEtag(Buffer.from(text)) }],
])('the buffer of a composed body that is sent %s is used again', async (_, contents, headers) => {
  const body = allocateBody(contents.length)
  body.write(contents)
  const { status, body: sent } = await represent(new RenderedBody(body), headers)
  expect(isFree(body)).toBe(true)
  if (status === 200) expect(gunzipSync(sent as Buffer).toString()).toBe(contents)
  else expect(sent).toBeUndefined()
})

test.each([
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
] as const)('equal lists have equal bytes in %s, and the first one can be read (R-161)', (coding, decode) => {
  const code = () => {
    const body = allocateBody(text.length)
    body.write(text)
    return represent(new RenderedBody(body, { isSentOnce: true }), { 'accept-encoding': coding }) as Representation
  }
  const [first, second] = [code(), code()]
  expect(first).toEqual(second)
  expect(decode(first.body as Buffer).toString()).toBe(text)
})

test('the buffer of a body that is sent is not used again before', () => {
  const body = allocateBody(10).fill('a')
  expect(represent(new RenderedBody(body), {})).toMatchObject({ body })
  expect(isFree(body)).toBe(false)
  const { bytes, slab } = joinResponse('head', body)
  expect(isFree(body)).toBe(false)
  expect(bytes.toString()).toBe(`head${'a'.repeat(10)}`)
  releaseSlab(slab!)
  expect(isFree(body)).toBe(true)
})

test.each([
  ['GET', 1000],
  ['GET', 20_000],
  ['HEAD', 1000],
])(
  "the buffer of a composed body that Node's server sends in answer to %s is used again: %i bytes",
  async (method, bytes) => {
    const body = allocateBody(bytes).fill('a')
    const server = createServer((_, raw) => {
      const fields = ['Content-Length', String(bytes)]
      const response = new NodeResponse(raw, raw.socket!, { track: () => {} } as unknown as UnsentResponses)
      response.write({
        requestId: 'id',
        common: everyField,
        status: 200,
        fields,
        body,
        closes: true,
        keyId: undefined,
        onClosed: undefined,
      })
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const reply = await send(`http://127.0.0.1:${port}`, '/', { method })
    await once(server.close(), 'close')
    expect(reply.text).toBe(method === 'HEAD' ? '' : 'a'.repeat(bytes))
    expect(isFree(body)).toBe(true)
  },
)
