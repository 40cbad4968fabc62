import { describe, expect, test } from 'vitest'
import { readSimpleGet } from './simple-get.ts'

const lines = (...all: string[]) => Buffer.from(`${all.join('\r\n')}\r\n\r\n`, 'latin1')
const first = 'GET /locations/1?version=1 HTTP/1.1'
const simple = lines(first, 'Host: a', 'X-API-Key:  k\t', 'accept-encoding: gzip, deflate', 'Connection: Keep-Alive')

test('a whole GET with known fields is read as Node reads it', () => {
  expect(readSimpleGet(simple, undefined)).toMatchObject({
    target: '/locations/1?version=1',
    headers: { host: 'a', 'x-api-key': 'k', 'accept-encoding': 'gzip, deflate', connection: 'Keep-Alive' },
  })
})

test('a request that ends like the one before has its fields', () => {
  const { tail } = readSimpleGet(simple, undefined)!
  const next = Buffer.from(simple.toString('latin1').replace('/1?', '/2?'), 'latin1')
  const read = readSimpleGet(next, tail)!
  expect(read.target).toBe('/locations/2?version=1')
  expect(read.headers).toBe(tail.headers)
  for (const start of ['GET /a HTTP/1.1\r\nHost: b', 'GET ', 'POST /', 'GET /a\tb', 'GET /a ', 'GET //a\0', 'get /a'])
    expect(readSimpleGet(Buffer.from(start + tail.text, 'latin1'), tail), start).toBeUndefined()
})

describe('left to Node', () => {
  test.each([
    ['nothing', Buffer.alloc(0)],
    ['a part of a request', simple.subarray(0, simple.length - 1)],
    ['two requests', Buffer.concat([simple, simple])],
    ['a request and a body', Buffer.concat([simple, Buffer.from('hello')])],
    ['an empty line in front', Buffer.concat([Buffer.from('\r\n'), simple])],
    ['another method', lines('HEAD / HTTP/1.1', 'Host: a')],
    ['another version', lines('GET / HTTP/1.0', 'Host: a')],
    ['no version', lines('GET /', 'Host: a')],
    ['an absolute target', lines('GET http://a/ HTTP/1.1', 'Host: a')],
    ['a fragment', lines('GET /a#b HTTP/1.1', 'Host: a')],
    ['a control character in the target', lines('GET /a\x01 HTTP/1.1', 'Host: a')],
    ['a byte above ASCII in the target', lines('GET /\xe9 HTTP/1.1', 'Host: a')],
    ['two spaces', lines('GET  / HTTP/1.1', 'Host: a')],
    ['line feeds alone', Buffer.from('GET / HTTP/1.1\nHost: a\n\n')],
    ['a bare line feed in a value', lines(first, 'Host: a', 'Accept: a\nContent-Length: 5')],
    ['a bare carriage return in a value', lines(first, 'Host: a', 'Accept: a\rb')],
    ['a folded field', lines(first, 'Host: a', 'Accept: a', ' b')],
    ['a space before the colon', lines(first, 'Host : a')],
    ['a field without a name', lines(first, 'Host: a', ': b')],
    ['a NUL', lines(first, 'Host: a', 'Accept: \0')],
    ['no Host', lines(first, 'Accept: */*')],
    ['an invalid Host', lines(first, 'Host: a/b')],
    ['a repeated field', lines(first, 'Host: a', 'host: a')],
    ['an unknown field', lines(first, 'Host: a', 'X-New: 1')],
    ['a field of the prototype of objects', lines(first, 'Host: a', '__proto__: 1')],
    ['a body', lines(first, 'Host: a', 'Content-Length: 0')],
    ['a coded body', lines(first, 'Host: a', 'Transfer-Encoding: chunked')],
    ['an upgrade', lines(first, 'Host: a', 'Connection: Upgrade', 'Upgrade: h2c')],
    ['the end of the connection', lines(first, 'Host: a', 'Connection: close')],
    ['a range', lines(first, 'Host: a', 'Range: bytes=0-1')],
    ['an expectation', lines(first, 'Host: a', 'Expect: 100-continue')],
    ['more than 8 KB', lines(first, 'Host: a', `Accept: ${'a'.repeat(8192)}`)],
  ])('%s', (_, bytes) => expect(readSimpleGet(bytes, undefined)).toBeUndefined())
})
