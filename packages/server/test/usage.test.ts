/** Tests of the usage ledger as the operator's commands show it (R-02, R-08, R-28; rulings: Commands). */
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FolderProblem } from '../src/domain/data-folder.ts'
import type { UsageRecord } from '../src/domain/usage.ts'
import { journalPath } from '../src/usage/journal-files.ts'
import { journalStart } from '../src/usage/journal-position.ts'
import { readJournal } from '../src/usage/journal-reader.ts'
import { type CommandResult, periplus } from './cli.ts'
import { makeKey, scratch, startWorld, type World } from './world.ts'

interface Usage {
  from: string
  to: string
  calls: number
  units: number
  billable_units: number
  rows: Record<string, string | number>[]
}

const day = (ms: number) => new Date(ms).toISOString().slice(0, 10)

describe('periplus usage', () => {
  let world: World
  /** Elapsed time of the service's clock; advances only between the first and the later calls. */
  const passed = { ms: 0 }
  // In the past: no call is later than the present time of the commands.
  const startedMs = Date.now() - 5000
  const clock = { nowMs: () => startedMs + passed.ms, monotonicUs: () => passed.ms * 1000 }
  const keys = { plain: { id: '', secret: '' }, other: { id: '', secret: '' }, test: { id: '', secret: '' } }
  let partner: string
  let days: string[]
  /** ISO timestamp between the first and the later calls. */
  let midpoint: string

  const usage = async (...flags: string[]): Promise<Usage> => {
    const result = await periplus(['usage', '--data', world.config.data, '--json', ...flags])
    expect(result).toMatchObject({ code: 0, stderr: '' })
    return result.json<Usage & Record<string, unknown>>()
  }

  beforeAll(async () => {
    world = await startWorld({}, 'world', clock)
    const data = ['--data', world.config.data, '--json']
    partner = (await periplus(['partners', 'create', 'Ann, "the" Partner', ...data])).json<{ id: string }>().id
    const made = await periplus(['keys', 'create', '--package', 'growth', '--partner', partner, ...data])
    const { id, key } = made.json<{ id: string; key: string }>()
    keys.plain = await makeKey(world.config, { agreement: { quota: 10 } })
    keys.other = { id, secret: key }
    keys.test = await makeKey(world.config, { test: true })

    const status = async (path: string, who: { secret: string }, headers = {}) =>
      (await world.get(path, { key: who.secret, headers })).status
    const { plain, other, test: trial } = keys
    expect([
      await status('/locations/1', plain),
      await status('/locations?ids=1,2,3,99', plain),
      await status('/locations/99', plain),
      await status('/locations/1?version=1', plain, { 'If-None-Match': '*' }),
      await status('/locations?ids=1,2,3,4,21,40,50', plain),
      await status('/feeds', plain),
    ]).toEqual([200, 200, 404, 304, 429, 403])
    passed.ms += 1000
    midpoint = new Date(clock.nowMs()).toISOString()
    passed.ms += 1000
    expect([
      await status('/locations?ids=1,2', other),
      await status('/catalog/locations/1', other),
      await status('/locations?ids=1,2,3,4,21', trial),
    ]).toEqual([200, 200, 200])
    days = [...new Set([day(startedMs), day(clock.nowMs())])]
  })
  afterAll(() => world.close())

  const row = (calls: number, units: number, billable = units) => ({ calls, units, billable_units: billable })

  test('includes a call as soon as it is answered; groups by operation by default', async () => {
    const earliest = Date.now()
    const { from, to, ...rest } = await usage()
    expect(rest).toEqual({
      ...row(9, 12, 7),
      rows: [
        { operation: 'getCatalogLocation', ...row(1, 1) },
        { operation: 'getLocation', ...row(3, 1) },
        { operation: 'getLocations', ...row(4, 10, 5) },
        { operation: 'listFeeds', ...row(1, 0) },
      ],
    })
    expect(from).toBe('1970-01-01T00:00:00.000Z')
    expect(Date.parse(to)).toBeGreaterThanOrEqual(earliest)
    expect(Date.parse(to)).toBeLessThanOrEqual(Date.now())
  })

  const rowsBy: [dimensions: string, rows: () => Record<string, unknown>[]][] = [
    [
      'status',
      () => [{ status: 200, ...row(5, 12, 7) }, ...[304, 403, 404, 429].map(status => ({ status, ...row(1, 0) }))],
    ],
    ['version', () => [{ version: '1', ...row(9, 12, 7) }]],
    [
      'partner',
      () =>
        [
          { partner, ...row(2, 3) },
          { partner: 'tester', ...row(7, 9, 4) },
        ].sort((a, b) => (a.partner < b.partner ? -1 : 1)),
    ],
    [
      'key',
      () =>
        [
          { key: keys.plain.id, ...row(6, 4) },
          { key: keys.other.id, ...row(2, 3) },
          { key: keys.test.id, ...row(1, 5, 0) },
        ].sort((a, b) => (a.key < b.key ? -1 : 1)),
    ],
    [
      'partner,status',
      () =>
        [
          { partner, status: 200, ...row(2, 3) },
          { partner: 'tester', status: 200, ...row(3, 9, 4) },
          ...[304, 403, 404, 429].map(status => ({ partner: 'tester', status, ...row(1, 0) })),
        ].sort((a, b) => (a.partner < b.partner ? -1 : a.partner > b.partner ? 1 : a.status - b.status)),
    ],
  ]
  test.each(rowsBy)('--by %s', async (dimensions, rows) => {
    expect(await usage('--by', dimensions)).toMatchObject({ ...row(9, 12, 7), rows: rows() })
  })

  test('--by day, in a time zone', async () => {
    const utc = await usage('--by', 'day')
    expect(utc.rows.map(({ day: date }) => days.includes(String(date)))).not.toContain(false)
    expect(utc.rows.reduce((sum, { units }) => sum + Number(units), 0)).toBe(12)
    const far = await usage('--by', 'day', '--tz', 'Pacific/Kiritimati')
    const there = new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Kiritimati' })
    expect(far.rows.map(({ day: date }) => date)).toContain(there.format(Date.parse(midpoint)))
  })

  test.each([
    ['--key', () => ['--key', keys.plain.id], row(6, 4)],
    ['--key of a test key: counted, never billed (R-02)', () => ['--key', keys.test.id], row(1, 5, 0)],
    ['--partner', () => ['--partner', partner], row(2, 3)],
    ['--key and --partner of the key', () => ['--partner', partner, '--key', keys.other.id], row(2, 3)],
    ['--key and --partner of another key', () => ['--partner', partner, '--key', keys.plain.id], row(0, 0)],
    ['an unknown key', () => ['--key', 'key_nobody'], row(0, 0)],
    ['--from a moment', () => ['--from', midpoint], row(3, 8, 3)],
    ['--to a moment', () => ['--to', midpoint], row(6, 4)],
    ['--from and --to', () => ['--from', days[0]!, '--to', midpoint], row(6, 4)],
    ['--to in the past', () => ['--to', '2001-01-01'], row(0, 0)],
  ])('%s', async (_, flags, sums) => {
    const result = await usage(...flags())
    expect(result).toMatchObject(sums)
    expect(result.rows.reduce((sum, { calls }) => sum + Number(calls), 0)).toBe(sums.calls)
  })

  test('reports the same after folding and after a restart', async () => {
    const before = await usage('--by', 'key,operation,status')
    const folded = () => {
      const control = new Database(join(world.config.data, 'control.sqlite'), { readonly: true })
      try {
        return control.prepare('SELECT sum(calls) FROM usage_slots').pluck().get()
      } finally {
        control.close()
      }
    }
    await expect.poll(folded).toBe(9)
    const after = await usage('--by', 'key,operation,status')
    expect({ ...after, to: '' }).toEqual({ ...before, to: '' })
    await world.restart()
    expect({ ...(await usage('--by', 'key,operation,status')), to: '' }).toEqual({ ...before, to: '' })
  })

  const plain = async (...flags: string[]) =>
    (await periplus(['usage', ...flags, '--data', world.config.data])).stdout.split('\n')

  test('--csv (RFC 4180)', async () => {
    expect(await plain('--csv', '--by', 'version,operation')).toEqual([
      'version,operation,calls,units,billable_units',
      '1,getCatalogLocation,1,1,1',
      '1,getLocation,3,1,1',
      '1,getLocations,4,10,5',
      '1,listFeeds,1,0,0',
      '',
    ])
  })

  test('prints a table', async () => {
    const lines = await plain()
    expect(lines[0]).toMatch(/^operation +calls +units +billable.units/)
    expect(lines).toContainEqual(expect.stringMatching(/^getLocations +4 +10 +5/))
    expect(lines).toContain('9 calls, 12 units')
  })

  describe('statement', () => {
    const month = () => midpoint.slice(0, 7)
    const statement = (...flags: string[]) =>
      periplus(['usage', 'statement', '--month', month(), '--data', world.config.data, ...flags])

    test('bills no test keys and no refused calls', async () => {
      const result = await statement('--partner', 'tester', '--json')
      expect(result.json()).toEqual({
        partner: 'tester',
        month: month(),
        tz: 'UTC',
        from: `${month()}-01T00:00:00.000Z`,
        to: expect.stringMatching(/-01T00:00:00.000Z$/),
        closed: false,
        calls: 2,
        units: 4,
        rows: [
          { key: keys.plain.id, operation: 'getLocation', calls: 1, units: 1 },
          { key: keys.plain.id, operation: 'getLocations', calls: 1, units: 3 },
        ],
      })
    })

    test('--csv, and in a time zone', async () => {
      expect((await statement('--partner', partner, '--csv')).stdout.split('\n')).toEqual([
        'key,operation,calls,units',
        `${keys.other.id},getCatalogLocation,1,1`,
        `${keys.other.id},getLocations,1,2`,
        '',
      ])
      const madrid = (await statement('--partner', partner, '--tz', 'Europe/Madrid', '--json')).json()
      expect(madrid).toMatchObject({ tz: 'Europe/Madrid', from: expect.stringMatching(/T2[23]:00:00.000Z$/) })
      const zone = (tz: string) => periplus(['partners', 'set', partner, '--zone', tz, '--data', world.config.data])
      expect(await zone('Asia/Tokyo')).toMatchObject({ code: 0 })
      expect((await statement('--partner', partner, '--json')).json()).toMatchObject({ tz: 'Asia/Tokyo' })
      expect((await statement('--partner', partner, '--tz', 'UTC', '--json')).json()).toMatchObject({ tz: 'UTC' })
    })

    test('shows the price of a package, and is a page to print with --html', async () => {
      const env = { PERIPLUS_PACKAGES_GROWTH_PRICE: '<b>EUR 49</b>' }
      const run = (...flags: string[]) =>
        periplus(
          [...['usage', 'statement', '--partner', partner, '--month', month(), '--data', world.config.data], ...flags],
          { env },
        )
      expect((await run('--json')).json()).toMatchObject({
        units: 3,
        prices: [{ package: 'growth', price: '<b>EUR 49</b>', units: 3 }],
      })
      const page = (await run('--html')).stdout
      expect(page).toMatch(/^<!doctype html>\n<html lang="en">/)
      for (const part of [
        'Ann, &quot;the&quot; Partner',
        '&lt;b&gt;EUR 49&lt;/b&gt;',
        keys.other.id,
        'So far: counted up',
      ])
        expect(page).toContain(part)
      expect(page).not.toMatch(/<script|<b>EUR|https?:/)
      expect(await run('--html', '--csv')).toMatchObject({ code: 2, stdout: '' })
    })

    test('refuses an unknown partner', async () => {
      expect(await statement('--partner', 'partner_nobody')).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/^Partner partner_nobody does not exist\./),
      })
    })

    test('closes a month that is over', async () => {
      const result = await periplus([
        ...['usage', 'statement', '--partner', 'tester', '--month', '2020-02', '--json'],
        ...['--data', world.config.data],
      ])
      expect(result.json()).toMatchObject({
        closed: true,
        calls: 0,
        units: 0,
        rows: [],
        to: '2020-03-01T00:00:00.000Z',
      })
    })
  })

  test.each([
    [['usage', '--by', 'colour'], 2],
    [['usage', '--from', 'yesterday'], 2],
    [['usage', '--from', '2026-02-30'], 2],
    [['usage', '--to', '2026-02-29T12:00:00Z'], 2],
    [['usage', '--from', '2026-03-02', '--to', '2026-03-01'], 2],
    [['usage', '--from', '2999-01-01'], 2],
    [['usage', '--tz', 'Mars/Olympus'], 2],
    [['usage', 'statement', '--partner', 'x'], 2],
    [['usage', 'statement', '--partner', 'x', '--month', '2026-13'], 2],
    [['usage', '--data', '/nowhere/at/all'], 1],
    [['verify', '--data', '/nowhere/at/all'], 1],
  ])('invalid use: %j exits with %i and an error message', async (args, code) => {
    const result = await periplus(args.includes('--data') ? args : [...args, '--data', world.config.data])
    expect(result).toMatchObject({ code, stdout: '' })
    expect(result.stderr).toMatch(/[Mm]ust be one|[Mm]ust be a|must not be later|is required|no Periplus data/)
  })
})

describe('meters in the config (R-08)', () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld({
      'meters.getLocations': { meter: 'entity', weight: 3 },
      'meters.getLocation': { meter: 'none' },
      'meters.listReviews': { meter: 'call', weight: 10 },
    })
  })
  afterAll(() => world.close())

  test('determine what is billed and are recorded with each call', async () => {
    const { id, secret } = await makeKey(world.config, { agreement: { quota: 30 } })
    const billed = async (path: string) => {
      const { status, headers } = await world.get(path, { key: secret })
      return [status, headers['x-billed-units'], /"daily";r=(\d+)/.exec(String(headers.ratelimit))?.[1]]
    }
    expect(await billed('/locations?ids=1,2')).toEqual([200, '6', '24'])
    expect(await billed('/locations/1')).toEqual([200, '0', '24'])
    expect(await billed('/catalog/locations/1')).toEqual([200, '1', '23'])
    expect(await billed('/locations/1/reviews')).toEqual([200, '10', '13'])
    expect(await billed('/locations/1/reviews')).toEqual([200, '10', '3'])
    expect(await billed('/locations/1/reviews')).toEqual([429, '0', '3'])
    expect(await billed('/locations?ids=1,2')).toEqual([429, '0', '3'])
    expect(await billed('/locations?ids=1')).toEqual([200, '3', '0'])
    expect(await billed('/locations/1')).toEqual([200, '0', '0'])

    const records: UsageRecord[] = []
    for await (const batch of readJournal(join(world.config.data, 'journal'), journalStart))
      records.push(...batch.records)
    expect(records.map(r => [r.operation, r.meter, r.weight, r.units, r.status, r.refusedBy.join()])).toEqual([
      ['getLocations', 'entity', 3, 6, 200, ''],
      ['getLocation', 'none', 1, 0, 200, ''],
      ['getCatalogLocation', 'call', 1, 1, 200, ''],
      ['listReviews', 'call', 10, 10, 200, ''],
      ['listReviews', 'call', 10, 10, 200, ''],
      ['listReviews', 'call', 10, 0, 429, 'daily'],
      ['getLocations', 'entity', 3, 0, 429, 'daily'],
      ['getLocations', 'entity', 3, 3, 200, ''],
      ['getLocation', 'none', 1, 0, 200, ''],
    ])
    const result = await periplus(['usage', '--key', id, '--data', world.config.data, '--json'])
    expect(result.json<Usage & Record<string, unknown>>().units).toBe(30)
  })

  test('the journal holds no secret and no free text (R-28)', async () => {
    const { secret } = await makeKey(world.config)
    await world.get('/locations/1?marker=free-text', { key: secret, headers: { 'User-Agent': 'free-text' } })
    const journal = readFileSync(journalPath(join(world.config.data, 'journal'), 1), 'utf8')
    expect(journal).not.toContain('free-text')
    expect(journal).not.toContain(secret.slice(10, 42))
  })
})

describe('periplus verify', () => {
  const folder = scratch()
  const kept = join(folder.path, 'kept')
  const verify = (data: string) => periplus(['verify', '--data', data, '--json'])
  const verdict = (result: CommandResult) => ({
    code: result.code,
    ...result.json<{ ok: boolean; problems: FolderProblem[] }>(),
  })

  beforeAll(async () => {
    const world = await startWorld()
    const { secret } = await makeKey(world.config, { agreement: { rate: 1000, quota: 1000 } })
    for (let i = 0; i < 20; i++) await world.get(i % 2 === 0 ? '/locations/1' : '/locations?ids=1,2', { key: secret })
    expect(verdict(await verify(world.config.data))).toEqual({ code: 0, ok: true, problems: [] })
    // The restart folds the rest of the journal.
    await world.restart()
    const data = world.config.data
    cpSync(data, kept, { recursive: true, filter: path => !path.includes('lock') })
    await world.close()
  })
  afterAll(folder.remove)

  const sql = (text: string) => (data: string) => {
    const control = new Database(join(data, 'control.sqlite'))
    expect(control.prepare(text).run().changes).toBe(1)
    control.close()
  }
  const journal = (change: (bytes: Buffer) => Buffer) => (data: string) => {
    const path = journalPath(join(data, 'journal'), 1)
    writeFileSync(path, change(readFileSync(path)))
  }
  const flipped = (bytes: Buffer, at: number) => {
    bytes[at]! ^= 1
    return bytes
  }
  const tampered: [name: string, tamper: (data: string) => void, problem: RegExp][] = [
    ['a roll-up by slot', sql("UPDATE usage_slots SET units = units + 1 WHERE operation = 'getLocations'"), /20.*21/],
    [
      'a roll-up by day',
      sql("UPDATE usage_days SET units = units - 1 WHERE operation = 'getLocations'"),
      /roll-up by day/,
    ],
    [
      'a roll-up by eighth of a day',
      sql("UPDATE usage_eighths SET units = units + 1 WHERE operation = 'getLocations'"),
      /20.* the roll-up by eighth of a day .*21/,
    ],
    ['a deleted roll-up', sql("DELETE FROM usage_days WHERE operation = 'getLocation'"), /roll-up by day/],
    ['a quota window', sql('UPDATE limit_states SET used = used - 5'), /window.*25 units; the journal has 30/],
    ['one bit of a record', journal(bytes => flipped(bytes, Math.floor(bytes.length / 2))), /damaged/],
    ['one bit of a frame', journal(bytes => flipped(bytes, 3)), /damaged/],
    ['a removed batch', journal(bytes => bytes.subarray(bytes.indexOf('\n@') + 1)), /journal has \d+ calls/],
    [
      'a duplicated call',
      journal(bytes => Buffer.concat([bytes.subarray(0, bytes.indexOf('\n@') + 1), bytes])),
      /twice/,
    ],
  ]
  test.each(tampered)('detects tampering: %s', async (name, tamper, problem) => {
    const data = join(folder.path, name.replaceAll(' ', '-'))
    cpSync(kept, data, { recursive: true })
    expect(verdict(await verify(data))).toEqual({ code: 0, ok: true, problems: [] })
    tamper(data)
    const result = await verify(data)
    const { code, ok, problems } = verdict(result)
    expect({ code, ok }).toEqual({ code: 1, ok: false })
    expect(problems.map(one => one.problem).join('\n')).toMatch(problem)
    expect(result.stderr).toMatch(/problem.* found\./)
  })

  test('prints one sentence per problem', async () => {
    const result = await periplus(['verify', '--data', kept])
    expect(result).toMatchObject({ code: 0, stdout: 'No problems found.\n' })
  })
})
