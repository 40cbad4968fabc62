/** Requests whose bytes were changed at random. */
import { hostileRequest, type Picker } from './hostile-requests.ts'

const anyOf = <T>(pick: Picker, list: readonly T[]): T => list[pick(list.length)]!

/** Requests that are valid before their mutation, so that the mutation decides how far they get. */
function validRequest(pick: Picker, key: string): Buffer {
  const path = anyOf(pick, [
    `/locations/${1 + pick(40)}`,
    `/locations?ids=${1 + pick(40)},${1 + pick(40)}`,
    `/locations/${1 + pick(40)}/reviews?size=5`,
    '/locations/search?query=caf%C3%A9%20museum',
    '/locations/nearby?lat=40.4&lon=-3.7&radius=5',
    '/docs',
    '/openapi/v1.json',
  ])
  const fields = anyOf(pick, [
    '',
    '',
    'Accept-Encoding: br, gzip\r\n',
    'Content-Length: 5\r\n',
    'Transfer-Encoding: chunked\r\n',
  ])
  const body = fields.startsWith('Content') ? 'hello' : fields.startsWith('Transfer') ? '5\r\nhello\r\n0\r\n\r\n' : ''
  return Buffer.from(`GET ${path} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\n${fields}\r\n${body}`, 'latin1')
}

const oddBytes = [0, 9, 10, 13, 32, 37, 38, 47, 58, 63, 127, 128, 255]
const fragments = [
  ...[
    '\0',
    '\r\n',
    '\n',
    '\r',
    '\r\n\r\n',
    '\r\n ',
    '%00',
    '%',
    '%zz',
    '%e2%82',
    '?',
    '#',
    '//',
    '../',
    ' HTTP/1.1',
    'HTTP/9.9',
  ],
  ...[
    '\r\nContent-Length: -1',
    '\r\nContent-Length: 1e3',
    '\r\nContent-Length: 99999999999999999999',
    '\r\nContent-Length: 3',
  ],
  ...['\r\nTransfer-Encoding: chunked', '\r\nTransfer-Encoding: gzip, chunked', '\r\nTransfer-Encoding : chunked'],
  ...[
    '\r\nHost: b',
    '\r\nHost:',
    '\r\nConnection: close',
    '\r\nConnection: Upgrade\r\nUpgrade: h2c',
    '\r\nExpect: 100-continue',
  ],
  ...[
    '5\r\nhello\r\n0\r\n\r\n',
    'ffffffffffffffff\r\n',
    'zz\r\n',
    '0\r\nX: y\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    '\x16\x03\x01',
  ],
  `\r\nX-Long: ${'y'.repeat(20_000)}`,
  `\r\nX-Longer: ${'z'.repeat(140_000)}`,
].map(text => Buffer.from(text, 'latin1'))

/** Each makes one change at a random position. */
const mutations: readonly ((pick: Picker, bytes: Buffer) => Buffer)[] = [
  (pick, bytes) => {
    const at = pick(bytes.length)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << pick(8))
    return bytes
  },
  (pick, bytes) => {
    bytes[pick(bytes.length)] = anyOf(pick, oddBytes)
    return bytes
  },
  // The long fragments are rare.
  (pick, bytes) => insert(pick, bytes, anyOf(pick, pick(50) === 0 ? fragments : fragments.slice(0, -2))),
  (pick, bytes) => insert(pick, bytes, Buffer.from(Array.from({ length: 1 + pick(8) }, () => pick(256)))),
  (pick, bytes) => insert(pick, bytes, part(pick, bytes)),
  (pick, bytes) => {
    const from = pick(bytes.length)
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + 1 + pick(20))])
  },
  (pick, bytes) => bytes.subarray(0, 1 + pick(bytes.length)),
  (_, bytes) => Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1'),
]

const part = (pick: Picker, bytes: Buffer): Buffer => {
  const from = pick(bytes.length)
  return bytes.subarray(from, from + 1 + pick(60))
}

const insert = (pick: Picker, bytes: Buffer, inserted: Buffer): Buffer => {
  const at = pick(bytes.length + 1)
  return Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at)])
}

/** Returns a valid or hostile request with one to three random changes of its bytes. */
export function mutatedRequest(pick: Picker, key: string): Buffer {
  let bytes = pick(2) === 0 ? validRequest(pick, key) : hostileRequest(pick, key).bytes
  for (let left = 1 + pick(3); left > 0 && bytes.length > 0; left--) bytes = anyOf(pick, mutations)(pick, bytes)
  return bytes
}
