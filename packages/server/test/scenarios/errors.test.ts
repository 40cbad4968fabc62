import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exchange, parsed, sendThenRead } from '../http-client.ts'
import { emptyMembers, type Row, scenarios } from '../scenario.ts'
import { startWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.close())

const key = () => `X-API-Key: ${world.key}\r\n`
const close = 'Host: a\r\nConnection: close\r\n'
const longUrl = (bytes: number) => `/locations/1?q=${'x'.repeat(bytes - 15)}`

interface RawRow {
  readonly name: string
  readonly sends: () => string | string[]
  readonly status: number
  readonly allow?: string
}

/** Raw requests that an HTTP client would not send. */
const raw: RawRow[] = [
  { name: 'not HTTP', sends: () => 'hello\r\n\r\n', status: 400 },
  { name: 'a TLS greeting', sends: () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', status: 400 },
  ...['BREW', 'FOO', 'get', 'X-1', 'DESCRIBE'].map(method => ({
    name: `the unknown method ${method}`,
    sends: () => `${method} /locations/1?version=1 HTTP/1.1\r\n${close}\r\n`,
    status: 405,
    allow: 'GET, HEAD',
  })),
  { name: 'an unknown method and path', sends: () => `BREW /nowhere HTTP/1.1\r\n${close}\r\n`, status: 404 },
  { name: 'an unknown method without a version', sends: () => `BREW /locations/1\r\n${close}\r\n`, status: 400 },
  {
    name: 'an unknown method and an absolute target',
    sends: () => `BREW http://other.example/locations/1 HTTP/1.0\r\n${close}\r\n`,
    status: 405,
    allow: 'GET, HEAD',
  },
  { name: 'a space in the target', sends: () => `GET /locations/1 2 HTTP/1.1\r\n${close}\r\n`, status: 400 },
  { name: 'an unknown protocol version', sends: () => `GET / HTTP/9.9\r\n${close}\r\n`, status: 400 },
  { name: 'a header without a colon', sends: () => `GET / HTTP/1.1\r\n${close}nonsense\r\n\r\n`, status: 400 },
  { name: 'NUL in a header', sends: () => `GET / HTTP/1.1\r\n${close}X-A: a\0b\r\n\r\n`, status: 400 },
  {
    name: 'two Content-Length headers',
    sends: () => `GET / HTTP/1.1\r\n${close}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
    status: 400,
  },
  {
    name: 'a Content-Length that is not a number',
    sends: () => `GET / HTTP/1.1\r\n${close}Content-Length: abc\r\n\r\n`,
    status: 400,
  },
  {
    name: 'Content-Length with Transfer-Encoding',
    sends: () => `GET / HTTP/1.1\r\n${close}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    status: 400,
  },
  {
    name: 'a chunk size that is not a number',
    sends: () => `GET /locations/1 HTTP/1.1\r\n${close}${key()}Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n`,
    status: 400,
  },
  { name: 'no Host', sends: () => `GET /locations/1 HTTP/1.1\r\nConnection: close\r\n${key()}\r\n`, status: 400 },
  ...['Host: a', 'host: a', 'HOST: b'].map(second => ({
    name: `a second Host header, ${second}`,
    sends: () => `GET /locations/1 HTTP/1.1\r\n${close}${key()}${second}\r\n\r\n`,
    status: 400,
  })),
  { name: 'two Hosts in HTTP/1.0', sends: () => `GET / HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n`, status: 400 },
  ...['a, b', 'a b', 'http://a', 'a/b', 'u@a', 'a?b'].map(host => ({
    name: `the Host ${host}`,
    sends: () => `GET /locations/1 HTTP/1.1\r\nConnection: close\r\nHost: ${host}\r\n${key()}\r\n`,
    status: 400,
  })),
  ...['', 'a_b.example:8080', '[::1]:80', 'bücher.example'].map(host => ({
    name: `the Host ${host === '' ? 'without a value' : host}`,
    sends: () => `GET /locations/1 HTTP/1.1\r\nConnection: close\r\nHost: ${host}\r\n${key()}\r\n`,
    status: 200,
  })),
  { name: 'HTTP/1.0', sends: () => `GET /locations/1 HTTP/1.0\r\n${key()}\r\n`, status: 200 },
  {
    name: 'an absolute target',
    sends: () => `GET http://other.example/locations/1 HTTP/1.1\r\n${close}${key()}\r\n`,
    status: 200,
  },
  { name: 'CONNECT', sends: () => `CONNECT a.example:443 HTTP/1.1\r\n${close}\r\n`, status: 405, allow: 'GET, HEAD' },
  { name: 'OPTIONS *', sends: () => `OPTIONS * HTTP/1.1\r\n${close}\r\n`, status: 404 },
  {
    name: 'Expect: 100-continue',
    sends: () => `GET /locations/1 HTTP/1.1\r\n${close}${key()}Expect: 100-continue\r\nContent-Length: 2\r\n\r\nab`,
    status: 200,
  },
  {
    name: 'Expect: another value',
    sends: () => `GET /locations/1 HTTP/1.1\r\n${close}${key()}Expect: tea\r\n\r\n`,
    status: 200,
  },
  {
    name: 'Upgrade: websocket',
    sends: () =>
      `GET /locations/1 HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n${key()}\r\n`,
    status: 200,
  },
  {
    name: 'Upgrade: h2c',
    sends: () =>
      `GET /locations/99 HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n${key()}\r\n`,
    status: 404,
  },
  { name: 'the HTTP/2 preface', sends: () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', status: 400 },
  { name: 'a URL of 16 KB', sends: () => `GET ${longUrl(16_384)} HTTP/1.1\r\n${close}${key()}\r\n`, status: 200 },
  {
    name: 'a URL of 16 KB and a byte',
    sends: () => `GET ${longUrl(16_385)} HTTP/1.1\r\n${close}${key()}\r\n`,
    status: 414,
  },
  { name: 'a URL of 64 KB', sends: () => `GET ${longUrl(65_536)} HTTP/1.1\r\n${close}${key()}\r\n`, status: 414 },
  {
    name: 'a path of 64 KB',
    sends: () => `GET /locations/${'9'.repeat(65_536)} HTTP/1.1\r\n${close}\r\n`,
    status: 414,
  },
  {
    name: 'a URL of 200 KB, which the parser rejects',
    sends: () => `GET ${longUrl(204_800)} HTTP/1.1\r\n${close}\r\n`,
    status: 431,
  },
  {
    name: 'headers of 15 KB',
    sends: () => `GET /locations/1 HTTP/1.1\r\n${close}${key()}X-A: ${'a'.repeat(15_000)}\r\n\r\n`,
    status: 200,
  },
  {
    name: 'headers of 20 KB',
    sends: () => `GET /locations/1 HTTP/1.1\r\n${close}${key()}X-A: ${'a'.repeat(20_000)}\r\n\r\n`,
    status: 431,
  },
  {
    name: 'headers of 20 KB in 500 fields',
    sends: () => `GET /locations/1 HTTP/1.1\r\n${close}${key()}${`X-A: ${'a'.repeat(35)}\r\n`.repeat(500)}\r\n`,
    status: 431,
  },
  {
    name: 'headers of 200 KB',
    sends: () => `GET /locations/1 HTTP/1.1\r\n${close}${key()}X-A: ${'a'.repeat(200_000)}\r\n\r\n`,
    status: 431,
  },
  {
    name: 'a body of 1 KB',
    sends: () => `GET /locations/1 HTTP/1.1\r\n${close}${key()}Content-Length: 1024\r\n\r\n${'b'.repeat(1024)}`,
    status: 200,
  },
  {
    name: 'a body of 2 KB',
    sends: () => `GET /locations/1 HTTP/1.1\r\n${close}${key()}Content-Length: 2048\r\n\r\n${'b'.repeat(2048)}`,
    status: 413,
  },
  {
    name: 'a body of 2 MB',
    sends: () => `GET /locations/1 HTTP/1.1\r\n${close}${key()}Content-Length: 2097152\r\n\r\n${'b'.repeat(2_097_152)}`,
    status: 413,
  },
  {
    name: 'a chunked body of 1 KB',
    sends: () =>
      `GET /locations/1 HTTP/1.1\r\n${close}${key()}Transfer-Encoding: chunked\r\n\r\n400\r\n${'b'.repeat(1024)}\r\n0\r\n\r\n`,
    status: 200,
  },
  {
    name: 'a chunked body of 2 KB',
    sends: () =>
      `GET /locations/1 HTTP/1.1\r\n${close}${key()}Transfer-Encoding: chunked\r\n\r\n800\r\n${'b'.repeat(2048)}\r\n0\r\n\r\n`,
    status: 413,
  },
  {
    name: 'a chunked body without a final chunk',
    sends: () =>
      `GET /locations/1 HTTP/1.1\r\n${close}${key()}Transfer-Encoding: chunked\r\n\r\n${`400\r\n${'b'.repeat(1024)}\r\n`.repeat(50)}`,
    status: 413,
  },
  {
    name: 'a large body on POST',
    sends: () => `POST /locations/1 HTTP/1.1\r\n${close}Content-Length: 2048\r\n\r\n${'b'.repeat(2048)}`,
    status: 413,
  },
  {
    name: 'raw non-ASCII bytes in the target',
    sends: () => `GET /locations/\xe9 HTTP/1.1\r\n${close}${key()}\r\n`,
    status: 400,
  },
]

describe('raw requests (R-13, R-27, ARCHITECTURE.md)', () => {
  test.each(raw)('$name: $status', async ({ sends, status, allow }) => {
    const response = parsed(
      await exchange(
        world.url,
        [sends()].flat().map(part => Buffer.from(part, 'latin1')),
      ),
    )
    expect(response.status).toBe(status)
    expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    expect(response.headers['x-content-type-options']).toBe('nosniff')
    if (allow) expect(response.headers.allow).toBe(allow)
    if (status < 400) return
    expect(response.headers['content-type']).toBe('application/problem+json')
    const problem = JSON.parse(response.body) as Record<string, unknown>
    expect(problem).toMatchObject({
      status,
      title: expect.any(String),
      message: expect.any(String),
      request_id: response.headers['x-request-id'],
    })
    expect(emptyMembers(problem)).toEqual([])
  })

  test.each([
    ['a header of 5 MB', (filler: string) => `GET /locations/1 HTTP/1.1\r\nHost: a\r\nX-A: ${filler}\r\n\r\n`, 431],
    [
      'a header of 20 KB before 5 MB',
      (filler: string) =>
        `GET / HTTP/1.1\r\nHost: a\r\nX-A: ${'a'.repeat(20_000)}\r\nContent-Length: 5000000\r\n\r\n${filler}`,
      431,
    ],
    [
      'a body of 5 MB',
      (filler: string) => `GET /locations/1 HTTP/1.1\r\nHost: a\r\nContent-Length: 5000000\r\n\r\n${filler}`,
      413,
    ],
    ['5 MB that are not HTTP', (filler: string) => `${filler}\r\n\r\n`, 400],
  ])('a client that reads only after it has sent %s gets the answer', async (_name, request, status) => {
    const { status: received, body } = parsed(await sendThenRead(world.url, request('a'.repeat(5_000_000))))
    expect([received, JSON.parse(body)]).toEqual([status, expect.objectContaining({ status })])
  })

  test('answers several requests in one packet in order', async () => {
    const requests = ['/locations/1', '/locations/99', '/nowhere', '/locations/2'].map(
      (path, i) => `GET ${path} HTTP/1.1\r\nHost: a\r\n${key()}${i === 3 ? 'Connection: close\r\n' : ''}\r\n`,
    )
    const received = await exchange(world.url, requests.join(''))
    expect([...received.matchAll(/HTTP\/1\.1 (\d+) /g)].map(match => match[1])).toEqual(['200', '404', '404', '200'])
  })

  test('answers a malformed request that follows a valid one on the same connection', async () => {
    const received = await exchange(world.url, [`GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n`, 'nonsense\r\n\r\n'])
    expect([...received.matchAll(/HTTP\/1\.1 (\d+) /g)].map(match => match[1])).toEqual(['200', '400'])
  })
})

scenarios('paths that cannot be decoded', () => world, [
  ...['/locations/%', '/locations/%zz', '/locations/%E0%A4%A', '/%', '/icons/%c3%28.svg'].map(
    (get): Row => ({ name: get, get, status: 400, text: 'percent-encoding' }),
  ),
  { name: 'an undecodable query is taken literally', get: '/locations/1?foo=%&bar=%zz', status: 200 },
  { name: 'an undecodable parameter is invalid', get: '/locations/1?locale=%zz', status: 400, fields: ['locale'] },
])

describe('problem details (R-13)', () => {
  test('have every member that applies', async () => {
    const reply = await world.get('/locations/21/reviews?page=0')
    expect(reply.json()).toEqual({
      type: `${world.url}/docs/errors#parameters_invalid`,
      title: 'Bad Request',
      status: 400,
      detail: 'page must be an integer of at least 1.',
      instance: '/locations/21/reviews?page=0',
      message: 'One or more parameters are not valid.',
      request_id: reply.headers['x-request-id'],
      field_errors: [{ field: 'page', message: 'page must be an integer of at least 1.', rejected_value: '0' }],
    })
  })

  test('link to their description', async () => {
    for (const target of [
      '/locations/99',
      '/nowhere',
      '/locations/1?version=0',
      '/locations/1?version=9',
      '/locations/x',
    ]) {
      const { type } = (await world.get(target)).json() as { type: string }
      const { pathname, hash } = new URL(type)
      expect((await world.get(pathname, { key: null })).text).toContain(`id="${hash.slice(1)}"`)
    }
  })

  test('truncate a long rejected value', async () => {
    const reply = await world.get(`/locations/1?locale=${'x'.repeat(5000)}`)
    expect(reply.status).toBe(400)
    const [error] = (reply.json() as { field_errors: { rejected_value: string }[] }).field_errors
    expect(error!.rejected_value.length).toBeLessThanOrEqual(200)
  })
})
