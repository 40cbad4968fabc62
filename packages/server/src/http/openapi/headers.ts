const header = (description: string, example: string, schema: object = { type: 'string' }) => ({
  description,
  schema,
  example,
})

/** Every header that an answer may carry, beside those of HTTP itself. */
export const headers = {
  'X-Request-Id': header(
    'The id of this request (UUIDv7): what to quote to the operator.',
    '01938f4a-7c1e-7d3a-9b1f-2a6f0c4d8e11',
  ),
  'API-Version': header('The version that answered; left out where none was selected (R-15).', '1'),
  ETag: header('Strong validator of the body; send it as If-None-Match (R-26).', '"mZ0bqKZ0Xq0cJ8b6Yw9h0m2v3lM"'),
  'Cache-Control': header('How long the answer may be reused.', 'private, max-age=300'),
  'Content-Encoding': header('The coding of the body, where Accept-Encoding asked for one (R-26).', 'br'),
  Vary: header('What the answer depends on.', 'Accept-Encoding, X-API-Key, Authorization'),
  'RateLimit-Policy': header(
    'The limits of the key: `q` units in `w` seconds (draft-ietf-httpapi-ratelimit-headers).',
    '"rate";q=10;w=1, "daily";q=10000;w=86400',
  ),
  RateLimit: header(
    'What is left after this call: `r` units; `t` seconds until all are back.',
    '"rate";r=9;t=1, "daily";r=9423;t=51234',
  ),
  'X-Billed-Units': header('The units that this call was charged.', '1', { type: 'string', pattern: '^\\d+$' }),
  'Retry-After': header('Seconds to wait; calls before that extend the wait (SPEC §8.4).', '2', {
    type: 'string',
    pattern: '^\\d+$',
  }),
  'WWW-Authenticate': header('How to present a key.', 'Bearer realm="Periplus", charset="UTF-8"'),
  Deprecation: header(
    'RFC 9745: since when this version or endpoint is deprecated, a Unix time after `@`. Log it, and move on before Sunset.',
    '@1730851200',
    { type: 'string', pattern: '^@\\d+$' },
  ),
  Sunset: header('RFC 8594: from when on it answers 410.', 'Thu, 06 Nov 2025 00:00:00 GMT'),
  Link: header(
    'What is said of the deprecation and the sunset, and the version that comes after.',
    '<https://places.example/docs/versions#0>; rel="deprecation"; type="text/html"',
  ),
}

/** What files of feeds carry besides. */
export const fileHeaders = {
  'Accept-Ranges': header('That parts of a file may be asked for (RFC 9110 §14.3).', 'bytes'),
  'Content-Range': header('Which part of a file this is.', 'bytes 0-1023/181020'),
  'Repr-Digest': header(
    'The digest of the whole file (RFC 9530).',
    'sha-256=:n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=:',
  ),
}

type HeaderName = keyof typeof headers

const signals: HeaderName[] = ['Deprecation', 'Sunset', 'Link']
const ofKey: HeaderName[] = ['RateLimit-Policy', 'RateLimit', 'X-Billed-Units']
const always: HeaderName[] = ['X-Request-Id', 'API-Version', 'Cache-Control', 'Vary']

/** Names of the headers that an answer of this status may carry. */
export function headersOf(status: number): HeaderName[] {
  if (status === 304) return [...always, 'ETag', ...ofKey, ...signals]
  if (status < 400) return [...always, 'Content-Encoding', 'ETag', ...ofKey, ...signals]
  return [
    ...always,
    'Content-Encoding',
    ...([408, 413, 414, 431].includes(status) ? [] : [...ofKey, ...signals]),
    ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
    ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
  ]
}

export const headerRefs = (names: readonly HeaderName[]) =>
  Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]))
