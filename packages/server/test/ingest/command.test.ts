import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { periplus } from '../cli.ts'
import { changeCount, dump } from '../dump.ts'
import { configFor, importRows, ndjson, scratch } from '../world.ts'
import { locations, reviews } from '../world-rows.ts'

const folder = scratch()
afterAll(folder.remove)

let folders = 0
const fresh = () => join(folder.path, `data-${++folders}`)
const file = (name: string, content: string | Buffer) => {
  const path = join(folder.path, name)
  writeFileSync(path, content)
  return path
}
const run = (data: string, ...args: string[]) => periplus(['import', '--data', data, '--json', ...args])

const good = file('places.ndjson', ndjson(locations))
const goodReviews = file('reviews.ndjson', ndjson(reviews))
const bad = file('bad.ndjson', `${ndjson(locations.slice(0, 3))}{"id":9,"name":"x","lat":91,"lon":0}\nnonsense\n`)

describe('periplus import (README, rulings: Import format)', () => {
  test('reports what it did; a second run of the same file changes nothing', async () => {
    const data = fresh()
    const first = await run(data, good, goodReviews)
    expect(first.code).toBe(0)
    const report = first.json()
    const { seconds, ...counts } = report
    expect(seconds).toBeGreaterThanOrEqual(0)
    expect(counts).toMatchObject({
      read: locations.length + reviews.length,
      added: locations.length - 2 + reviews.length,
      changed: 2,
      unchanged: 0,
      removed: 0,
      rejected: 0,
      reasons: {},
    })
    const before = dump(configFor(data))
    const changes = changeCount(configFor(data))
    const again = await run(data, good, goodReviews)
    expect(again.json()).toMatchObject({
      added: 0,
      changed: 0,
      removed: 0,
      rejected: 0,
      unchanged: locations.length + reviews.length,
    })
    expect([dump(configFor(data)), changeCount(configFor(data))]).toEqual([before, changes])
  })

  test('rejected rows are counted by reason and written to a file, and the exit code is 0', async () => {
    const data = fresh()
    const rejects = join(folder.path, 'rejects.ndjson')
    const { code, ...ran } = await run(data, bad, '--rejects', rejects)
    expect(code).toBe(0)
    expect(ran.json()).toMatchObject({
      read: 5,
      added: 3,
      rejected: 2,
      reasons: { latitude_out_of_range: 1, invalid_json: 1 },
    })
    const written = readFileSync(rejects, 'utf8')
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(written).toMatchObject([
      { line: 4, reason: 'latitude_out_of_range', field: 'lat', row: expect.stringContaining('91') },
      { line: 5, reason: 'invalid_json', row: 'nonsense' },
    ])
  })

  test('fails if every row of a file is rejected, unless --force is set or all rows were erased', async () => {
    const data = fresh()
    const nothing = file('nothing.ndjson', '{\n"name": "x"\n}\n')
    const ran = await run(data, good, nothing)
    expect(ran.code).toBe(1)
    expect(ran.stderr).toContain('nothing.ndjson were imported: all were rejected')
    expect(ran.json()).toMatchObject({ rejected: 3, reasons: { invalid_json: 3 } })
    expect(readFileSync(join(data, 'rejects', 'nothing.ndjson.rejects.ndjson'), 'utf8')).toContain(
      'on one line; jq -c .',
    )
    expect((await run(data, nothing, '--force')).code).toBe(0)
    const one = file(
      'one-review.ndjson',
      ndjson([{ id: 88001, location_id: locations[0]!.id, text: 'gone', rating: 1 }]),
    )
    expect((await run(data, one)).json()).toMatchObject({ added: 1 })
    expect((await periplus(['reviews', 'erase', '88001', '--data', data])).code).toBe(0)
    const again = await run(data, one)
    expect(again).toMatchObject({ code: 0 })
    expect(again.json()).toMatchObject({ reasons: { erased: 1 } })
  })

  test('two files with the same name get separate rejects files', async () => {
    const data = fresh()
    const files = ['a', 'b'].map(name => {
      mkdirSync(join(folder.path, name))
      return file(join(name, 'same.ndjson'), `{"source":"s","source_id":"${name}","name":"x","lat":91,"lon":0}\n`)
    })
    await run(data, ...files)
    for (const [i, name] of ['same.ndjson', 'same.ndjson.2'].entries())
      expect(readFileSync(join(data, 'rejects', `${name}.rejects.ndjson`), 'utf8')).toContain(['\\"a\\"', '\\"b\\"'][i])
  })

  test('a missing file stops the command before anything is stored', async () => {
    const data = fresh()
    const ran = await run(data, good, join(folder.path, 'missing.csv'))
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('does not exist') })
    expect(existsSync(data)).toBe(false)
  })

  test('prints a table, the reasons with their lines, and the rejects file by default', async () => {
    const ran = await periplus(['import', '--data', fresh(), bad])
    expect(ran.code).toBe(0)
    for (const part of ['added', 'locations', 'latitude_out_of_range', 'line 4', 'rejects.ndjson'])
      expect(ran.stdout).toContain(part)
  })

  test('a dry run changes nothing and reports it', async () => {
    const data = fresh()
    await importRows(configFor(data), 'location', locations.slice(0, 2))
    const before = [dump(configFor(data)), changeCount(configFor(data))]
    const ran = await run(data, good, '--dry-run')
    expect(ran).toMatchObject({ code: 0 })
    expect(ran.json()).toMatchObject({
      dry_run: true,
      read: locations.length,
      added: locations.length - 4,
      unchanged: 2,
      changed: 2,
    })
    expect([dump(configFor(data)), changeCount(configFor(data))]).toEqual(before)
    expect((await run(data, good)).json()).toMatchObject({ added: locations.length - 4, unchanged: 2, changed: 2 })
  })

  test('reads standard input, and detects gzip by content, not by name', async () => {
    const zipped = gzipSync(ndjson(locations))
    const expected = { read: locations.length, added: locations.length - 2 }
    expect((await run(fresh(), file('places.ndjson.gz', zipped))).json()).toMatchObject(expected)
    expect((await run(fresh(), file('places.txt', zipped))).json()).toMatchObject(expected)
    for (const stdin of [zipped, ndjson(locations)]) {
      const ran = await periplus(['import', '--data', fresh(), '--json', '-'], { stdin })
      expect([ran.code, ran.json()]).toEqual([0, expect.objectContaining(expected)])
    }
  })

  test('reads gzip with several members', async () => {
    const half = locations.length / 2
    const parts = [locations.slice(0, half), locations.slice(half)].map(rows => gzipSync(ndjson(rows)))
    expect((await run(fresh(), file('two.gz', Buffer.concat(parts)))).json()).toMatchObject({ read: locations.length })
  })

  test('truncated gzip fails with a message; the complete rows before are stored', async () => {
    const data = fresh()
    const rows = Array.from({ length: 6000 }, (_, i) => ({ id: i + 1, name: `Place ${Math.sin(i)}`, lat: 1, lon: 1 }))
    const zipped = gzipSync(ndjson(rows))
    const torn = await run(data, file('torn.gz', zipped.subarray(0, zipped.length * 0.7)))
    expect(torn).toMatchObject({ code: 1, stderr: expect.stringContaining('incomplete or damaged') })
    const stored = dump(configFor(data)).tables.locations!.length
    expect([stored > 0, stored % 1000]).toEqual([true, 0])
    const whole = await run(data, file('whole.gz', zipped))
    expect(whole.json()).toMatchObject({ added: 6000 - stored, unchanged: stored })
  })

  test('corrupt gzip fails', async () => {
    const zipped = gzipSync(ndjson(locations))
    zipped.fill(0xaa, 40, 80)
    expect(await run(fresh(), file('broken.gz', zipped))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('gzip'),
    })
  })

  test('exits with 1 and a report if too many rows are rejected, with 0 under --force', async () => {
    const rows = Array.from({ length: 1000 }, (_, i) => ({ id: i + 1, name: 'x', lat: i < 101 ? 91 : 1, lon: 1 }))
    const many = file('many-bad.ndjson', ndjson([...rows, { id: 5000, name: 'last', lat: 1, lon: 1 }]))
    const data = fresh()
    const stopped = await run(data, many)
    expect(stopped).toMatchObject({ code: 1, stderr: expect.stringContaining('--force') })
    expect(stopped.json()).toMatchObject({ read: 1000, added: 899, rejected: 101 })
    const forced = await run(data, many, '--force')
    expect([forced.code, forced.json()]).toEqual([0, expect.objectContaining({ read: 1001, added: 1, unchanged: 899 })])
  })
})

describe('exit codes (README)', () => {
  const directory = join(folder.path, 'directory')
  mkdirSync(directory)
  const unclear = file('unclear.ndjson', '{"id":7,"deleted":true}\n')
  const rows: [name: string, args: string[], code: number, says: string][] = [
    ['no such file', ['import', join(folder.path, 'nowhere.ndjson')], 1, 'does not exist'],
    ['a folder', ['import', directory], 1, 'is a folder'],
    ['no file argument', ['import'], 2, 'file'],
    ['an unknown flag', ['import', good, '--fast'], 2, '--fast'],
    ['an unknown kind', ['import', good, '--kind', 'places'], 2, 'locations'],
    ['an unknown format', ['import', good, '--format', 'xml'], 2, 'ndjson'],
    ['a kind that cannot be detected', ['import', unclear], 2, '--kind'],
    ['one rejects file for two inputs', ['import', good, good, '--rejects', 'x'], 2, '--rejects'],
    ['a rejects file that is a folder', ['import', good, '--rejects', directory], 2, 'is a folder'],
    ['an unknown command', ['exprot'], 2, 'exprot'],
    ['no command', [], 2, 'Usage'],
    ['no such config file', ['keys', 'list', '--config', 'nowhere.yaml'], 2, 'nowhere.yaml'],
    ['no such key', ['keys', 'show', 'nobody'], 1, 'nobody'],
    ['no such partner', ['keys', 'create', '--package', 'discover', '--partner', 'nobody'], 1, 'nobody'],
    ['no package', ['keys', 'create'], 2, '--package'],
    ['an unknown package', ['keys', 'create', '--package', 'gold'], 2, 'discover'],
    ['an invalid rate', ['keys', 'create', '--package', 'discover', '--rate', '-1'], 2, 'rate'],
    ['an invalid port', ['serve', '--port', '99999'], 2, 'port'],
    ['help', ['--help'], 0, ''],
    ['version', ['--version'], 0, ''],
  ]
  test.concurrent.each(rows)('%s', async (_name, args, code, says) => {
    const own =
      args.length > 0 && !args[0]!.startsWith('--') && args[0] !== 'exprot'
        ? ['--data', join(folder.path, `codes-${++folders}`)]
        : []
    const ran = await periplus([...args, ...own])
    expect(ran.code, ran.stderr).toBe(code)
    expect(ran.stderr).toContain(says)
    if (code !== 0) expect(ran.stdout).toBe('')
    expect(ran.stderr).not.toMatch(/^\s+at /m)
  })
})

test('reports a data folder that is a file', async () => {
  const ran = await run(good, good)
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('part of it is a file, not a folder') })
  expect(ran.stderr).not.toContain('unexpected')
})

test('a data folder whose path the system rejects is named', async () => {
  const [loop, long] = [join(folder.path, 'loop'), join(folder.path, 'y'.repeat(256))]
  symlinkSync(loop, loop)
  for (const [path, problem] of [
    [loop, 'part of it is a link that leads to itself'],
    [long, 'is too long for the file system'],
  ] as const) {
    const ran = await periplus(['verify', '--data', path])
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining(problem) })
    expect(ran.stderr).toContain(path)
  }
})

test('JSON output of the partner and key commands (README)', async () => {
  const data = fresh()
  const command = async (...args: string[]) =>
    (await periplus([...args, '--data', data, '--json'])).json<Record<string, unknown>>()
  const partner = await command('partners', 'create', 'Acme', '--email', 'a@acme.example', '--external-ref', 'crm-7')
  expect(partner).toMatchObject({
    id: expect.any(String),
    name: 'Acme',
    email: 'a@acme.example',
    external_ref: 'crm-7',
  })
  const made = await command(
    'keys',
    'create',
    '--package',
    'growth',
    '--partner',
    String(partner.id),
    '--add-on',
    'feeds',
    '--rate',
    '40',
    '--search-quota',
    'unlimited',
  )
  expect(made).toMatchObject({
    id: expect.stringMatching(/^key_/),
    key: expect.stringMatching(/^peri_live_[0-9A-Za-z]{38}$/),
    package: 'growth',
    add_ons: ['feeds'],
    partner_id: partner.id,
    limits: {
      rate: { value: 40, source: 'agreement' },
      burst: { value: 40, source: 'agreement' },
      quota: { value: 50_000, source: 'package' },
      search_rate: { value: 1, source: 'package' },
      search_burst: { value: 5, source: 'package' },
      search_quota: { value: 'unlimited', source: 'agreement' },
    },
  })
  const { key: secret, ...rest } = made
  const created = { created_at: expect.any(String), calls_since_rotation: 0 }
  const secrets = [{ id: '1', last4: String(secret).slice(-4), ...created }]
  expect(await command('keys', 'show', String(made.id))).toEqual({ ...rest, secrets })
  expect(await command('keys', 'list')).toEqual({ keys: [rest] })
  expect(JSON.stringify(await command('keys', 'list'))).not.toContain(String(secret).slice(12, 30))
  const set = await command('keys', 'set', String(made.id), '--no-add-on', 'feeds', '--rate', 'package')
  expect(set).toMatchObject({
    add_ons: [],
    limits: { rate: { value: 25, source: 'package' }, burst: { value: 25, source: 'package' } },
  })
  const test = await command('keys', 'create', '--package', 'discover', '--test')
  expect(test).toMatchObject({
    key: expect.stringMatching(/^peri_test_/),
    test: true,
    limits: { quota: { value: 1000 } },
  })
  const listed = async (...flags: string[]) =>
    ((await command('keys', 'list', ...flags)).keys as { id: string }[]).map(({ id }) => id)
  expect(await listed('--partner', String(partner.id))).toEqual([made.id])
  expect(await listed('--partner', 'partner_x')).toEqual([])
  expect(await listed('--test')).toEqual([test.id])
  expect(await listed('--no-test', '--state', 'active')).toEqual([made.id])
  expect(await listed('--state', 'revoked')).toEqual([])
})
