/** Tests of the export of billable units as CloudEvents: each unit counts once, whatever fails in between. */
import { writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeEngine } from '../src/compose/engine.ts'
import type { Config } from '../src/config/load.ts'
import type { UsageRow } from '../src/domain/ledger.ts'
import { createUsageRow } from '../src/domain/usage-row.fixture.ts'
import { openEngine } from '../src/store/engine.ts'
import type { UsageEvent } from '../src/usage/cloud-events.ts'
import { periplus } from './cli.ts'
import { configFor, makeFolder, scratch, startWorld } from './world.ts'

interface Received {
  readonly headers: IncomingHttpHeaders
  readonly events: readonly UsageEvent[]
}

const hourMs = 3_600_000
const startMs = Math.floor(Date.now() / hourMs) * hourMs - 60 * hourMs

const row = (hour: number, more: Partial<UsageRow> = {}) =>
  createUsageRow(startMs + hour * hourMs, { calls: 2, units: 3, ...more })

/** Adds rows to the ledger, without a change of its position. */
async function fold(config: Config, rows: readonly UsageRow[]): Promise<void> {
  const engine = openEngine(describeEngine(config), { create: false })
  try {
    const from = await engine.ledger.position()
    const piece = { from, to: from, files: [], rows, states: [], uses: [], last: undefined }
    expect(await engine.ledger.commit(piece)).toEqual({ late: 0 })
  } finally {
    await engine.close()
  }
}

describe('the export of usage', () => {
  const folder = scratch()
  const config = configFor(folder.path)
  const tokenFile = join(folder.path, 'token')
  const received: Received[] = []
  /** Statuses of the next answers; then 202. `cut`: accepts the events, and breaks the connection before the answer. */
  const statuses: (number | 'cut')[] = []
  let server: Server
  let url: string

  const run = (flags: readonly string[] = [], settings: Record<string, string> = {}) =>
    periplus(['usage', 'export', '--data', folder.path, ...flags], {
      env: { PERIPLUS_USAGE_EXPORT_URL: url, PERIPLUS_USAGE_EXPORT_BATCH: '2', ...settings },
    })
  const take = () => received.splice(0)
  const events = (of: readonly Received[]) => of.flatMap(one => one.events)

  beforeAll(async () => {
    makeFolder(config)
    server = createServer(async (request, response) => {
      const body = JSON.parse(await text(request)) as UsageEvent | UsageEvent[]
      received.push({ headers: request.headers, events: Array.isArray(body) ? body : [body] })
      const status = statuses.shift() ?? 202
      if (status === 'cut') request.socket.destroy()
      else response.writeHead(status).end('{}')
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`
    const present = Math.floor(Date.now() / hourMs) * hourMs
    await fold(config, [
      row(0),
      row(0, { status: 304, units: 0 }),
      row(0, { version: '2', calls: 1, units: 4 }),
      row(1, { billable: false, keyId: 'k2', units: 100 }),
      row(1, { operation: 'getLocations', units: 10 }),
      row(30, { partnerId: 'other', keyId: 'k3', units: 20 }),
      row(31, { status: 429, units: 0 }),
      row(0, { fromMs: present, units: 1000 }),
    ])
  })
  afterAll(() => {
    server.close()
    folder.remove()
  })

  test('sends the billable units of complete slots, once, until the billing system accepts them', async () => {
    statuses.push(202, 503)
    const failed = await run()
    expect(failed).toMatchObject({ code: 1, stdout: '' })
    expect(failed.stderr).toContain(`The billing system at ${url} refused the usage with status 503.`)
    expect(failed.stderr).toContain('2 events were accepted')
    const first = take()
    expect(first.map(one => one.events.length)).toEqual([2, 1])
    expect(first[0]!.headers['content-type']).toBe('application/cloudevents-batch+json')
    const from = new Date(startMs).toISOString()
    expect(first[0]!.events[0]).toEqual({
      specversion: '1.0',
      id: `acme/k1/getLocation/${from}/1`,
      source: 'periplus',
      type: 'periplus.usage',
      subject: 'acme',
      time: from,
      datacontenttype: 'application/json',
      data: {
        partner_id: 'acme',
        key_id: 'k1',
        operation: 'getLocation',
        from,
        to: expect.any(String),
        calls: 3,
        units: 7,
      },
    })

    expect((await run(['--json'])).json()).toEqual({ sent: 1, units: 20 })
    expect(events(take())).toEqual(first[1]!.events)
    expect((await run(['--json'])).json()).toEqual({ sent: 0, units: 0 })
    expect(take()).toEqual([])
  })

  test('sends calls that are counted later as another part', async () => {
    await fold(config, [row(0, { calls: 1, units: 5 }), row(2, { units: 1 })])
    expect((await run(['--json'])).json()).toEqual({ sent: 2, units: 6 })
    const from = new Date(startMs).toISOString()
    expect(events(take()).map(({ id, data }) => [id.slice(-2), data.from, data.calls, data.units])).toEqual([
      ['/2', from, 1, 5],
      ['/1', new Date(startMs + 2 * hourMs).toISOString(), 2, 1],
    ])
  })

  test('repeats events with their ids if the answer is lost', async () => {
    await fold(config, [row(3), row(4)])
    statuses.push('cut')
    expect(await run()).toMatchObject({ code: 1, stderr: expect.stringMatching(/did not answer \(\w+\)/) })
    const [first, ...others] = take()
    expect([first!.events.length, others]).toEqual([2, []])
    expect((await run(['--json'])).json()).toEqual({ sent: 2, units: 6 })
    expect(events(take())).toEqual(first!.events)
  })

  test('sends everything since a date again, with the same ids and single events, and a token', async () => {
    writeFileSync(tokenFile, 'billing-secret\n')
    const settings = { PERIPLUS_USAGE_EXPORT_BATCH: '1', PERIPLUS_USAGE_EXPORT_TOKEN_FILE: tokenFile }
    const again = await run(['--json', '--again', new Date(startMs + hourMs).toISOString()], settings)
    expect(again.json()).toEqual({ sent: 5, units: 37 })
    const [one, ...rest] = take()
    expect([one!.headers['content-type'], one!.headers.authorization]).toEqual([
      'application/cloudevents+json',
      'Bearer billing-secret',
    ])
    expect(rest.length).toBe(4)
    const all = await run(['--json', '--again', '2000-01-01'], settings)
    expect(all.json()).toEqual({ sent: 7, units: 49 })
    const sent = events(take())
    expect(new Set(sent.map(({ id }) => id)).size).toBe(7)

    writeFileSync(tokenFile, 'two words')
    const failed = await run(['--again', '2000-01-01'], settings)
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining(`${tokenFile} (usage.export.tokenFile)`) })
  })

  test.each([
    ['no billing system', { PERIPLUS_USAGE_EXPORT_URL: '' }, 2, /usage\.export\.url/],
    [
      'a billing system that is away',
      { PERIPLUS_USAGE_EXPORT_URL: 'http://127.0.0.1:2/x' },
      1,
      /did not answer \(\w+\)/,
    ],
    ['a missing token', { PERIPLUS_USAGE_EXPORT_TOKEN_FILE: '/nowhere/token' }, 1, /\/nowhere\/token does not exist/],
    ['a URL with a password', { PERIPLUS_USAGE_EXPORT_URL: 'http://a:b@127.0.0.1/' }, 2, /usage\.export\.url/],
    ['a date that does not exist', { PERIPLUS_USAGE_EXPORT_FROM: '2026-02-30' }, 2, /usage\.export\.from/],
  ])('%s is refused in a sentence', async (_, settings, code, message) => {
    const result = await run(['--again', '2000-01-01'], settings)
    expect(result).toMatchObject({ code, stdout: '' })
    expect(result.stderr).toMatch(message)
    expect(result.stderr).not.toMatch(/ {4}at |unexpected error/)
  })

  test('is made by a running service', async () => {
    const world = await startWorld({ 'usage.export.url': url, 'usage.export.source': 'urn:served' }, 'empty')
    try {
      await fold(world.config, [row(0), row(1)])
      await world.restart()
      await expect.poll(() => received.length).toBe(1)
      expect(events(take()).map(({ source, data }) => [source, data.units])).toEqual([
        ['urn:served', 3],
        ['urn:served', 3],
      ])
    } finally {
      await world.close()
    }
  })
})
