/**
 * Mutated bytes of requests over sockets, pipelined: the service answers each with well-formed HTTP below 500 or closes
 * the connection, stays alive within its memory, and its ledger agrees with the answers. `npm run soak` sends a
 * million: PERIPLUS_REQUESTS, PERIPLUS_SEED.
 */
import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { openEnd } from '../src/domain/ledger.ts'
import { periplus, serve } from './cli.ts'
import { openUsage } from './composed.ts'
import { eventually } from './eventually.ts'
import { hostileRequest, type Picker, picker } from './hostile-requests.ts'
import { exchange, send } from './http-client.ts'
import { createProgress } from './progress.ts'
import { configFor, importRows, makeKey, scratch } from './world.ts'
import { locations, reviews } from './world-rows.ts'

const total = Number(process.env.PERIPLUS_REQUESTS ?? 20_000)
const seed = Number(process.env.PERIPLUS_SEED ?? 20_261_122)
/** Few enough that the queue of long queries never refuses one, however slow the machine. */
const [lanes, mostPipelined] = [4, 4]
/** Maximum resident memory of the service, in MB; after its start it needs about 200. */
const mostMemoryMb = 600

const folder = scratch()
afterAll(folder.remove)
const config = configFor(folder.path)

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

function mutatedRequest(pick: Picker, key: string): Buffer {
  let bytes = pick(2) === 0 ? validRequest(pick, key) : hostileRequest(pick, key).bytes
  for (let left = 1 + pick(3); left > 0 && bytes.length > 0; left--) bytes = anyOf(pick, mutations)(pick, bytes)
  return bytes
}

interface Answer {
  readonly status: number
  readonly billed: number
}

/** Parses everything that a connection received; throws unless it is a sequence of whole responses. */
function parseAnswers(received: string): Answer[] {
  const answers: Answer[] = []
  for (let rest = received; rest.length > 0; ) {
    const top = /^HTTP\/1\.1 (\d{3}) [^\r\n]*\r\n((?:[!-9;-~]+: [^\r\n]*\r\n)*)\r\n/.exec(rest)
    if (!top) throw new Error(`not a response: ${rest.slice(0, 300)}`)
    const status = Number(top[1])
    rest = rest.slice(top[0].length)
    if (status < 200) continue
    const field = (name: string) => new RegExp(`^${name}: (\\d+)\\r$`, 'im').exec(top[2]!)?.[1]
    answers.push({ status, billed: Number(field('x-billed-units') ?? 0) })
    const length = Number(field('content-length') ?? 0)
    // A response to HEAD, which a mutation may have made, has no body.
    if (rest === '' || rest.startsWith('HTTP/1.1 ')) continue
    if (rest.length < length) throw new Error(`a body of ${rest.length} instead of ${length} bytes`)
    rest = rest.slice(length)
  }
  return answers
}

function memoryMb(pid: number): number {
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
}

test(`answers ${total} mutated requests without a 5xx, and counts what it answers`, { timeout: 0 }, async () => {
  await importRows(config, 'location', locations)
  await importRows(config, 'review', reviews)
  const { secret } = await makeKey(config, { packageName: 'innovate' })
  const server = await serve(folder.path, ['--log-level', 'silent'])
  const get = (path: string) => send(server.url, path, { headers: { 'X-API-Key': secret } })
  const before = { calls: 0, units: 0 }
  await eventually(async () => {
    const { status, headers } = await get('/locations/search?query=a')
    if (status === 200) before.calls++
    before.units += Number(headers['x-billed-units'])
    expect(status).toBe(200)
  })

  const statuses = new Map<number, number>()
  const billed = { ...before }
  const wrong: object[] = []
  const progress = createProgress('mutated requests', total)
  let sent = 0
  const sendAll = async (pick: Picker) => {
    while (sent < total) {
      const count = Math.min(total - sent, 1 + pick(mostPipelined))
      sent += count
      const requests = Array.from({ length: count }, () => mutatedRequest(pick, secret))
      const received = await exchange(server.url, requests, true)
      try {
        for (const { status, billed: units } of parseAnswers(received)) {
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
          if (status >= 500) throw new Error(`status ${status}`)
          billed.units += units
          if (status === 200 && units > 0) billed.calls++
        }
      } catch (error) {
        wrong.push({ error, requests: requests.map(one => one.toString('latin1').slice(0, 500)) })
      }
      progress(sent)
    }
  }
  await Promise.all(Array.from({ length: lanes }, (_, lane) => sendAll(picker(seed + lane))))

  expect(wrong.slice(0, 3)).toEqual([])
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 400, 401, 404, 405, 413, 431]))
  expect((await get('/locations/1')).status).toBe(200)
  expect(memoryMb(server.pid)).toBeLessThan(mostMemoryMb)
  expect(await server.stop()).toBe(0)
  const { usage, close } = openUsage(config)
  const { rows } = await usage.report({ fromMs: 0, toMs: openEnd }, ['status'], 'UTC')
  close()
  const ledger = rows.find(({ status }) => status === 200)!
  // An answer may be lost on a connection that the service closes because of the bytes after it.
  expect(ledger.units).toBeGreaterThanOrEqual(billed.units + 1)
  expect(ledger.calls).toBeGreaterThanOrEqual(billed.calls + 1)
  const verified = await periplus(['verify', '--data', folder.path, '--json'])
  expect(verified.json()).toEqual({ ok: true, problems: [] })
})
