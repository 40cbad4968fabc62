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
import { type Picker, picker } from './hostile-requests.ts'
import { exchange, send } from './http-client.ts'
import { mutatedRequest } from './mutated-requests.ts'
import { createProgress } from './progress.ts'
import { configFor, importRows, makeKey, scratch } from './world.ts'
import { locations, reviews } from './world-rows.ts'

const total = Number(process.env.PERIPLUS_REQUESTS ?? 4000)
const seed = Number(process.env.PERIPLUS_SEED ?? 20_261_122)
/** Few enough that the queue of long queries never refuses one, however slow the machine. */
const [lanes, mostPipelined] = [4, 4]
/** Maximum resident memory of the service, in MB; after its start it needs about 200. */
const mostMemoryMb = 600

const folder = scratch()
afterAll(folder.remove)
const config = configFor(folder.path)

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
