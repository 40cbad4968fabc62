/**
 * Sums of calls at awkward times: what clients counted = command = statement = CSV = admin API, to the unit, in every
 * zone.
 */
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getMonthSpan, startOfDay, toLocalDate } from '../../src/kit/time.ts'
import { periplus } from '../cli.ts'
import type { Reply } from '../http-client.ts'
import { makeKey, startWorld, type World } from '../world.ts'
import { type AdminClient, adminClient, createToken } from './admin-client.ts'
import { pageClient } from './page-client.ts'

/** A call as its client counted it. */
interface Call {
  readonly timeMs: number
  readonly key: string
  readonly operation: string
  readonly status: number
  readonly units: number
  readonly billable: boolean
}

const zones = ['UTC', 'Europe/Madrid', 'Asia/Kathmandu', 'Pacific/Chatham', 'Pacific/Kiritimati']
/** Days with the end of summer time in Europe, and the end of a month. */
const dates = ['2025-10-26', '2025-10-27', '2025-11-01', '2025-11-02', '2025-11-03']
const firstMs = Date.parse('2025-10-24T00:00:00Z')

const moment = fc.oneof(
  fc
    .tuple(fc.constantFrom(...zones), fc.constantFrom(...dates), fc.constantFrom(0, -1))
    .map(([zone, date, ms]) => startOfDay(date, zone) + ms),
  fc.nat(11 * 86_400_000).map(ms => firstMs + ms),
)
const targets = [
  { target: '/locations/1', operation: 'getLocation' },
  { target: '/locations?ids=1,2,3', operation: 'getLocations' },
  { target: '/locations/99', operation: 'getLocation' },
]

let world: World
let admin: AdminClient
/** Sends a GET as a user of the partner. */
let getPage: (path: string) => Promise<Reply>
const calls: Call[] = []
beforeAll(async () => {
  const clock = { ms: firstMs }
  world = await startWorld({ 'journal.keepDays': 100_000 }, 'world', {
    nowMs: () => clock.ms,
    monotonicUs: () => (clock.ms - firstMs) * 1000,
  })
  const keys = await Promise.all([makeKey(world.config), makeKey(world.config, { test: true })])
  const planned = fc.sample(fc.record({ timeMs: moment, key: fc.nat(1), kind: fc.nat(2) }), { numRuns: 60, seed: 11 })
  for (const { timeMs, key, kind } of planned.toSorted((a, b) => a.timeMs - b.timeMs)) {
    clock.ms = timeMs
    const { target, operation } = targets[kind]!
    const { status, headers } = await world.get(target, { key: keys[key]!.secret })
    const units = Number(headers['x-billed-units'])
    calls.push({ timeMs, key: keys[key]!.id, operation, status, units, billable: key === 0 })
  }
  const pages = pageClient(world)
  const cookie = pages.cookieOf(await pages.open('u@example.org', '--role', 'member', '--partner', 'tester'))
  getPage = path => pages.get(`/portal/tester${path}`, cookie)
})
afterAll(() => world.close())

test('a page permits its own style and nothing else', async () => {
  const client = adminClient(world, await createToken(world, ['usage:read']))
  const { headers, text } = await client.get('/statements/tester/2025-11', { Accept: 'text/html' })
  const style = createHash('sha256')
    .update(/<style>(.*)<\/style>/s.exec(text)![1]!)
    .digest('base64')
  expect(headers['content-security-policy']).toBe(`default-src 'none'; style-src 'sha256-${style}'`)
})

test.each(['tester', 'nobody'])('a token of another partner finds no statement of %s', async id => {
  const other = (await periplus(['partners', 'create', 'Other', '--json', '--data', world.config.data])).json()
  const client = adminClient(world, await createToken(world, ['usage:read'], ['--partner', String(other.id)]))
  expect(await client.get(`/statements/${id}/2025-11`)).toMatchObject({
    status: 404,
    body: { code: 'partner_unknown' },
  })
  for (const query of [`partner_id=${id}`, `key_id=${calls[0]!.key}`, ''])
    expect((await client.get(`/usage?${query}`)).body).toMatchObject({ calls: 0, units: 0, rows: [] })
})

interface Row {
  readonly calls: number
  readonly units: number
  readonly billable_units: number
}

interface CountedDay extends Row {
  readonly day: string
  readonly operation: string
}

/** Sums calls by day and operation. */
function countDays(counted: readonly Call[], zone: string): readonly CountedDay[] {
  const byDay = Map.groupBy(counted, ({ timeMs, operation }) => `${toLocalDate(timeMs, zone)} ${operation}`)
  return [...byDay].sort().map(([id, some]) => ({
    day: id.split(' ')[0]!,
    operation: id.split(' ')[1]!,
    calls: some.length,
    units: some.reduce((sum, { units }) => sum + units, 0),
    billable_units: some.reduce((sum, { units, billable }) => sum + (billable ? units : 0), 0),
  }))
}

const run = async (...args: readonly string[]) => {
  const result = await periplus([...args, '--data', world.config.data])
  expect(result).toMatchObject({ code: 0, stderr: '' })
  return result
}
const isServed = ({ status, billable }: Call) => billable && status === 200

test('the pages of statements have the months and lines of the command', async () => {
  const { status, text } = await getPage('/statements')
  expect(status).toBe(200)
  for (const [month, label] of [
    ['2025-10', 'October 2025'],
    ['2025-11', 'November 2025'],
  ]) {
    const args = ['usage', 'statement', '--partner', 'tester', '--month', month!]
    const statement = (await run(...args, '--json')).json<{ units: number; calls: number }>()
    expect(statement.units).toBeGreaterThan(0)
    const [, units] = new RegExp(`statements/${month}">${label}.*?Billable units">(\\d+)<`, 's').exec(text)!
    expect(Number(units)).toBe(statement.units)
    const csv = await getPage(`/statements/${month}?format=csv`)
    expect(csv.text.replaceAll('\r\n', '\n')).toBe((await run(...args, '--csv')).stdout)
    const json = await getPage(`/statements/${month}?format=json`)
    expect(JSON.parse(json.text)).toEqual((await run(...args, '--json')).json())
    const page = (await getPage(`/statements/${month}`)).text
    const [, total] = /<tfoot>.*data-label="Units">(\d+)<\/td><\/tr><\/tfoot>/s.exec(page)!
    expect(Number(total)).toBe(statement.units)
    expect(page).toContain('closed')
  }
  expect((await getPage('/statements/2025-13')).status).toBe(400)
})

describe.each(zones)('in %s', zone => {
  // A token of its own: each may send 20 requests a second.
  beforeAll(async () => {
    admin = adminClient(world, await createToken(world, ['usage:read']))
  })
  const { fromMs, toMs } = getMonthSpan('2025-11', zone)
  const inMonth = ({ timeMs }: Call) => timeMs >= fromMs && timeMs < toMs
  const query = `/usage?by=day,operation&tz=${encodeURIComponent(zone)}&from=${new Date(fromMs).toISOString()}`
  const flags = ['--by', 'day,operation', '--tz', zone, '--from', new Date(fromMs).toISOString()]

  test('days are the same for client, command and API, as JSON and as CSV', async () => {
    const expected = countDays(calls.filter(inMonth), zone)
    const { to: _, ...report } = (await run('usage', ...flags, '--json')).json<{ to: string; rows: unknown }>()
    expect(report.rows).toEqual(expected)
    const { to: __, ...answer } = (await admin.get(query)).body
    expect(answer).toEqual(report)
    const csv = await admin.get(query, { Accept: 'text/csv' })
    expect(csv.text.replaceAll('\r\n', '\n')).toBe((await run('usage', ...flags, '--csv')).stdout)
  })

  test.each(['calls', 'units'] as const)(
    'the page shows the same %s of days as chart, table and export',
    async show => {
      const path = `/usage?from=2025-10-24&to=2025-11-04&by=operation&show=${show}&tz=${encodeURIComponent(zone)}`
      const { status, text } = await getPage(path)
      expect(status).toBe(200)
      const from = new Date(startOfDay('2025-10-24', zone)).toISOString()
      const to = new Date(startOfDay('2025-11-05', zone)).toISOString()
      const period = ['--partner', 'tester', '--from', from, '--to', to, '--tz', zone]
      const { stdout } = await run('usage', '--by', 'day,operation', ...period, '--csv')
      expect((await getPage(`${path}&format=csv`)).text.replaceAll('\r\n', '\n')).toBe(stdout)
      const report = (await run('usage', '--by', 'day,operation', ...period, '--json')).json<{ rows: CountedDay[] }>()
      expect((await getPage(`${path}&format=json`)).json()).toEqual(report)
      const days = Map.groupBy(report.rows, ({ day }) => day)
      const charted = [...text.matchAll(/<title>(\d+ \w+): (\d+) (?:calls|units)/g)].map(([, , total]) => Number(total))
      const [, body] = /(?:Calls|Units) of each day<\/caption>.*?<tbody>(.*?)<\/tbody>/s.exec(text)!
      const table = [...body!.matchAll(/datetime="([\d-]+)".*?data-label="Total">(\d+)<\/td><\/tr>/g)].toReversed()
      expect(table.map(([, , total]) => Number(total))).toEqual(charted)
      const counted = table.map(([, day]) => (days.get(day!) ?? []).reduce((sum, row) => sum + row[show], 0))
      expect(charted).toEqual(counted)
      expect(counted.reduce((sum, value) => sum + value, 0)).toBeGreaterThan(40)
    },
  )

  test('the statement has the billable units of the month', async () => {
    const billed = calls.filter(call => inMonth(call) && isServed(call))
    const args = ['usage', 'statement', '--partner', 'tester', '--month', '2025-11', '--tz', zone]
    const statement = (await run(...args, '--json')).json()
    expect(statement).toMatchObject({
      closed: true,
      calls: billed.length,
      units: billed.reduce((sum, { units }) => sum + units, 0),
    })
    const path = `/statements/tester/2025-11?tz=${encodeURIComponent(zone)}`
    expect((await admin.get(path)).body).toEqual(statement)
    const csv = await admin.get(path, { Accept: 'text/csv' })
    expect(csv.text.replaceAll('\r\n', '\n')).toBe((await run(...args, '--csv')).stdout)
    const page = await admin.get(path, { Accept: 'text/html' })
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.text).toBe((await run(...args, '--html')).stdout)
  })
})
