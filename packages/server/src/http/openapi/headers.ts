const header = (description: string, example: string, schema: object = { type: 'string' }) => ({
  description,
  schema,
  example,
})

/** Documented response headers; basic HTTP headers such as Content-Type are omitted. */
export const headers = {
  'X-Request-Id': header(
    'Id of this request (UUIDv7). Quote it when you contact the operator.',
    '01938f4a-7c1e-7d3a-9b1f-2a6f0c4d8e11',
  ),
  'API-Version': header('Version of the response; absent if no version was selected.', '1'),
  'Ignored-Parameters': header(
    'Parameters of the request that the operation does not have, each with the most similar name that it has.',
    'raduis (radius?), colour',
  ),
  ETag: header('Strong validator of the body; send it in If-None-Match.', '"mZ0bqKZ0Xq0cJ8b6Yw9h0m2v3lM"'),
  'Cache-Control': header(
    'Directives for caches, with the time for which the response may be reused.',
    'private, max-age=300',
  ),
  'Content-Encoding': header('Coding of the body, if Accept-Encoding requested one.', 'br'),
  Vary: header(
    'Request headers that the response depends on.',
    'Accept-Encoding, X-API-Key, Authorization, API-Version',
  ),
  'RateLimit-Policy': header(
    'Limits of the key: `q` units in `w` seconds (draft-ietf-httpapi-ratelimit-headers).',
    '"rate";q=10;w=1, "daily";q=10000;w=86400',
  ),
  RateLimit: header(
    'Remaining limits after this request: `r` units, and `t` seconds until the limit is fully restored.',
    '"rate";r=9;t=1, "daily";r=9423;t=51234',
  ),
  'X-Key-Mode': header('`test` in responses to a test key; absent for a live key.', 'test', { const: 'test' }),
  'X-Billed-Units': header('Units charged for this request.', '1', { type: 'string', pattern: '^\\d+$' }),
  'Retry-After': header('Seconds to wait before the next request. Requests before then extend the wait.', '2', {
    type: 'string',
    pattern: '^\\d+$',
  }),
  'WWW-Authenticate': header('The way to send an API key.', 'Bearer realm="Periplus", charset="UTF-8"'),
  Deprecation: header(
    'Time since which this version or endpoint is deprecated (RFC 9745), as a Unix time after `@`. Log it, and migrate before the Sunset date.',
    '@1730851200',
    { type: 'string', pattern: '^@\\d+$' },
  ),
  Sunset: header('Time from which this version or endpoint returns 410 (RFC 8594).', 'Thu, 06 Nov 2025 00:00:00 GMT'),
  Link: header(
    'Links to the next page of a list (`next`), to a page about the deprecation and the sunset, and to the successor.',
    '<https://places.example/docs/versions#0>; rel="deprecation"; type="text/html"',
  ),
}

/** Additional headers of feed files. */
export const fileHeaders = {
  'Accept-Ranges': header('Support for range requests (RFC 9110 §14.3).', 'bytes'),
  'Content-Range': header('Range of the file in this response.', 'bytes 0-1023/181020'),
  'Repr-Digest': header(
    'Digest of the complete file (RFC 9530).',
    'sha-256=:n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=:',
  ),
}

type HeaderName = keyof typeof headers

const lifecycle: HeaderName[] = ['Deprecation', 'Sunset', 'Link']
const forKeys: HeaderName[] = ['RateLimit-Policy', 'RateLimit', 'X-Billed-Units', 'X-Key-Mode', 'Ignored-Parameters']
const always: HeaderName[] = ['X-Request-Id', 'API-Version', 'Cache-Control', 'Vary']

/** Returns the names of the headers that a response with this status may have. */
export function listHeaders(status: number): HeaderName[] {
  if (status === 304) return [...always, 'ETag', ...forKeys, ...lifecycle]
  if (status < 400) return [...always, 'Content-Encoding', 'ETag', ...forKeys, ...lifecycle]
  return [
    ...always,
    'Content-Encoding',
    ...([408, 413, 414, 431].includes(status) ? [] : [...forKeys, ...lifecycle]),
    ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
    ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
  ]
}

/** Returns references to the named headers. */
export const toHeaderRefs = (names: readonly HeaderName[]) =>
  Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]))
