import { cpSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { periplus } from '../cli.ts'
import { dump } from '../dump.ts'
import { killedAt } from '../kills.ts'
import { configFor, importRows, ndjson } from '../world.ts'
import { createWorkspace } from './formats.ts'

const workspace = createWorkspace()
afterAll(workspace.remove)
const { file, fresh, run, tables } = workspace

const place = (n: number, more: object = {}) => ({ source_id: `p${n}`, name: `Place ${n}`, lat: 1, lon: 2, ...more })
const review = (n: number, more: object = {}) => ({ source_id: `r${n}`, place_source_id: `p${n}`, rating: 4, ...more })
const upTo = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n))

let files = 0
const rowsFile = (rows: readonly object[]) => file(`rows-${++files}.ndjson`, ndjson(rows))
const replace = (data: string, rows: readonly (readonly object[])[], ...flags: string[]) =>
  run(data, ...rows.map(rowsFile), '--source', 's', '--replace', ...flags)
const ids = (data: string, table: 'locations' | 'reviews') =>
  (tables(data)[table] as { id: bigint }[]).map(row => Number(row.id))

const template = fresh()
beforeAll(async () => {
  await importRows(configFor(template), 'location', [{ ...place(999), source: 'other' }])
  await run(template, rowsFile(upTo(100, n => place(n))), rowsFile(upTo(100, n => review(n))), '--source', 's')
})

/** Returns a data folder with 100 places of the source s, a review of each, and one place of another source. */
function copyOfTemplate(): string {
  const data = fresh()
  cpSync(template, data, { recursive: true })
  return data
}

describe('import --replace (README)', () => {
  test('removes only records of the source that are missing in the file, and reports their number', async () => {
    const data = copyOfTemplate()
    const ran = await replace(data, [upTo(97, n => place(n))])
    expect(ran.json(), ran.stderr).toMatchObject({
      read: 97,
      unchanged: 97,
      removed: 3,
      replaced: { source: 's', removals: [{ kind: 'location', stored: 100, gone: 3, removed: 3 }] },
    })
    expect([ids(data, 'locations').length, ids(data, 'reviews').length]).toEqual([98, 97])
    expect((await replace(data, [upTo(97, n => place(n))])).json()).toMatchObject({ removed: 0, unchanged: 97 })
    const human = await periplus([
      'import',
      '--data',
      data,
      '--no-index',
      '--source',
      's',
      '--replace',
      rowsFile(upTo(96, n => place(n))),
    ])
    expect(human.stdout).toContain('1 of 97 locations are no longer in s: 1 removed.')
  })

  test('removes missing reviews and updates the totals', async () => {
    const data = copyOfTemplate()
    expect((await replace(data, [upTo(96, n => review(n))])).json()).toMatchObject({ removed: 4 })
    expect([ids(data, 'locations').length, ids(data, 'reviews').length]).toEqual([101, 96])
    expect(tables(data).review_totals).toHaveLength(96)
  })

  test('several files of both kinds are one sync', async () => {
    const data = copyOfTemplate()
    const halves = [upTo(50, n => place(n)), upTo(48, n => place(n + 50)), upTo(98, n => review(n))]
    expect((await replace(data, halves)).json()).toMatchObject({
      removed: 4,
      replaced: {
        removals: [
          { kind: 'review', removed: 2 },
          { kind: 'location', removed: 2 },
        ],
      },
    })
  })

  test('removes nothing if over 5 % are missing, unless --force is set', async () => {
    const data = copyOfTemplate()
    const rows = [upTo(94, n => place(n, n === 0 ? { name: 'new name' } : {}))]
    const refused = await replace(data, rows)
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('6 of 100 locations')])
    expect(refused.stderr).toContain('--force')
    expect(refused.json()).toMatchObject({ changed: 1, removed: 0, replaced: { removals: [{ gone: 6, removed: 0 }] } })
    expect(ids(data, 'locations')).toHaveLength(101)
    expect((await replace(data, rows, '--force')).json()).toMatchObject({ removed: 6 })
  })

  test('records added by the same import do not reduce the share of missing records', async () => {
    const data = copyOfTemplate()
    const ran = await replace(data, [upTo(200, n => place(n + 6))])
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining('6 of 100 locations')])
  })

  test('a dry run reports the same and changes nothing', async () => {
    const data = copyOfTemplate()
    const before = dump(configFor(data))
    expect((await replace(data, [upTo(97, n => place(n))], '--dry-run')).json()).toMatchObject({ removed: 3 })
    expect((await replace(data, [upTo(3, n => place(n))], '--dry-run')).code).toBe(1)
    expect(dump(configFor(data))).toEqual(before)
  })

  test('keeps records whose rows were rejected if their keys are readable', async () => {
    const data = copyOfTemplate()
    const rows = [
      ...upTo(94, n => place(n)),
      place(94, { lat: 91 }),
      place(95, { status: 'WHO KNOWS' }),
      place(96, { id: 7_000_000 }),
      place(0),
      { source_id: 'p97' },
      place(98, { merged_into_source_id: 'nobody' }),
      place(99, { deleted: true }),
    ]
    const ran = await replace(data, [rows])
    expect(ran.json(), ran.stderr).toMatchObject({ rejected: 6, removed: 1 })
    expect(ids(data, 'locations')).toHaveLength(100)
    const reviews = [...upTo(98, n => review(n)), review(98, { rating: 9 }), review(99, { place_source_id: 'nobody' })]
    expect((await replace(data, [reviews])).json()).toMatchObject({ removed: 0 })
  })

  test('keeps the records of CSV rows with a wrong number of columns if their keys are readable', async () => {
    const data = copyOfTemplate()
    const rows = upTo(100, n => (n === 50 ? 'p50,"Place 50",1' : `p${n},Place ${n},1,2`))
    const path = file('ragged.csv', `source_id,name,lat,lon\n${rows.join('\n')}\n`)
    expect((await run(data, path, '--source', 's', '--replace')).json()).toMatchObject({ rejected: 1, removed: 0 })
  })

  test('records with only an id belong to the source that last imported them', async () => {
    const data = fresh()
    const bare = upTo(100, n => ({ id: n + 1, name: `Place ${n}`, lat: 1, lon: 2 }))
    const own = upTo(100, n => ({ id: n + 1, location_id: n + 1, rating: 4 }))
    await run(data, rowsFile(bare), rowsFile(own), '--source', 's')
    await run(data, rowsFile([{ id: 500, name: 'Other', lat: 1, lon: 2 }]), '--source', 'other')
    const ran = await replace(data, [bare.slice(0, 98), own.slice(0, 97)])
    expect(ran.json(), ran.stderr).toMatchObject({ removed: 5 })
    expect([ids(data, 'locations').length, ids(data, 'reviews').length]).toEqual([99, 97])
    await run(data, rowsFile([bare[0]!]), '--source', 'other')
    expect((await replace(data, [bare.slice(1, 98)])).json()).toMatchObject({ removed: 0 })
  })

  test('does not remove a merged place, listed or not; can remove its survivor', async () => {
    const data = copyOfTemplate()
    const merged = place(99, { merged_into_source_id: 'p0' })
    expect((await replace(data, [[...upTo(99, n => place(n)), merged]])).json()).toMatchObject({
      changed: 1,
      removed: 0,
    })
    expect((await replace(data, [upTo(99, n => place(n))])).json()).toMatchObject({ removed: 0, unchanged: 99 })
    expect(tables(data).merges).toMatchObject([{ to_id: 2n }])
    expect((await replace(data, [upTo(98, n => place(n + 1))])).json()).toMatchObject({ removed: 1 })
  })

  test('an input that is stopped or truncated removes nothing', async () => {
    const data = copyOfTemplate()
    const bad = upTo(1000, n => place(n, n < 800 ? { lat: 91 } : {}))
    const stopped = await replace(data, [bad])
    expect([stopped.code, stopped.stderr]).toEqual([1, expect.stringContaining('Nothing was removed')])
    const torn = file('torn.geojson', '{"type":"FeatureCollection","features":[')
    expect((await run(data, torn, '--source', 's', '--replace', '--force')).code).toBe(1)
    expect(ids(data, 'locations').filter(id => id <= 101)).toHaveLength(101)
  })

  test.each([
    ['no source', ['--replace'], '--replace requires --source'],
    ['an empty file without a kind', ['--replace', '--source', 's'], '--kind'],
  ])('refuses %s with a message', async (_name, flags, says) => {
    const ran = await run(fresh(), rowsFile([]), ...flags)
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(says)])
  })
})

describe('kill -9 of a full sync', () => {
  const [before, after] = [upTo(2500, n => place(n)), upTo(500, n => place(n * 5, { name: 'renamed' }))]
  const second = rowsFile(after)
  const sync = ['--no-index', '--source', 's', '--replace', '--force', second]
  const [stored, undisturbed] = [fresh(), fresh()]
  beforeAll(async () => {
    await run(stored, rowsFile(before), '--source', 's')
    cpSync(stored, undisturbed, { recursive: true })
    expect((await run(undisturbed, ...sync)).json()).toMatchObject({ changed: 500, removed: 2000 })
  })

  test.each([
    ['the changed rows', 'commit data.sqlite', 0, 2500],
    ['the first removals', 'commit data.sqlite#2', 500, 2500],
    ['the last removals', 'commit data.sqlite#3', 500, 1500],
  ])('killed before the commit of %s: the next run finishes', async (_name, step, renamed, left) => {
    const data = fresh()
    cpSync(stored, data, { recursive: true })
    await killedAt(step, ['import', '--data', data, '--json', ...sync])
    const locations = tables(data).locations as { record: string }[]
    expect([locations.length, locations.filter(({ record }) => record.includes('renamed')).length]).toEqual([
      left,
      renamed,
    ])
    expect((await run(data, ...sync)).code).toBe(0)
    expect(dump(configFor(data))).toEqual(dump(configFor(undisturbed)))
  })
})
