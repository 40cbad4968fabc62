import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { checkSize } from './bounds.ts'

const request = (
  { url = '/', raw = [], headers = {} }: { url?: string; raw?: string[]; headers?: Record<string, string> },
  chunks: Buffer[] = [],
) => Object.assign(Readable.from(chunks), { url, rawHeaders: raw, headers }) as unknown as IncomingMessage

const refusal = async (...args: Parameters<typeof request>) => (await checkSize(request(...args)))?.fault

describe('the size of a request (R-13, R-27)', () => {
  it.each([
    ['a URL of 16 KB', { url: `/${'a'.repeat(16_383)}` }, undefined],
    ['a longer URL', { url: `/${'a'.repeat(16_384)}` }, 'url_too_long'],
    ['headers of 16 KB', { raw: ['a', 'b'.repeat(16_384 - 5)] }, undefined],
    ['larger headers', { raw: ['a', 'b'.repeat(16_384 - 4)] }, 'headers_too_large'],
    ['a body of 1 KB', { headers: { 'content-length': '1024' } }, undefined],
    ['a larger body', { headers: { 'content-length': '1025' } }, 'body_too_large'],
    ['both too long', { url: `/${'a'.repeat(17_000)}`, headers: { 'content-length': '9999' } }, 'url_too_long'],
  ])('%s', async (_name, given, expected) => expect(await refusal(given)).toBe(expected))

  const chunked = { headers: { 'transfer-encoding': 'chunked' } }
  const part = (bytes: number) => Buffer.alloc(bytes)
  it.each([
    ['none', [], undefined],
    ['1 KB in parts', [part(1000), part(24)], undefined],
    ['one byte more', [part(1000), part(25)], 'body_too_large'],
  ])('a body in chunks: %s', async (_name, chunks, expected) => expect(await refusal(chunked, chunks)).toBe(expected))

  it('an incomplete body is a bad request, not an internal error', async () => {
    const broken = request(chunked)
    const response = checkSize(broken)
    broken.destroy(new Error('aborted'))
    expect((await response)?.fault).toBe('bad_request')
  })
})
