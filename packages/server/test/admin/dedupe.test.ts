import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { periplus } from '../cli.ts'
import { eventually } from '../eventually.ts'
import { scratch } from '../scratch.ts'
import { searchable } from '../searchable.ts'
import { importRows, startWorld, type World } from '../world.ts'

const at = (lat: number, lon: number) => ({ lat, lon, country: 'ES', city: 'Tarifa' })
const rows = [
  {
    ...at(36.01, -5.6),
    id: 1,
    source: 'a',
    source_id: '1',
    name: 'Hotel Dos Mares',
    category: 'hotel',
    phone: '956684035',
  },
  {
    ...at(36.0101, -5.6),
    id: 2,
    source: 'b',
    source_id: '2',
    name: 'Dos Mares',
    category: 'hotel',
    phone: '+34 956 684 035',
    wikidata: 'Q2',
  },
  { ...at(36.0102, -5.6), id: 3, source: 'b', source_id: '3', name: 'Restaurante Dos Mares', category: 'restaurant' },
  { ...at(36.2, -5.6), id: 4, source: 'a', source_id: '4', name: 'Camping Torre', category: 'campground' },
  { ...at(36.206, -5.6), id: 5, source: 'b', source_id: '5', name: 'Camping Torre', category: 'campground' },
  { ...at(36.01, -5.6), id: 6, source: 'a', source_id: '6', name: 'Tarifa', category: 'geo:city' },
  { ...at(36.02, -5.61), id: 7, source: 'b', source_id: '7', name: 'Tarifa', category: 'geo:locality' },
  { ...at(36.02, -5.61), id: 8, source: 'b', source_id: '8', name: 'Tarifa', category: 'geo:county' },
]
const reviews = [
  { id: 11, location_id: 1, text: 'Fine.', rating: 4 },
  { id: 12, location_id: 2, text: 'Windy.', rating: 3 },
]

let world: World
const folder = scratch()
beforeAll(async () => {
  world = await startWorld({}, rows)
  await importRows(world.config, 'review', reviews)
  await searchable(world)
})
afterAll(async () => {
  await world.close()
  folder.remove()
})

const dedupe = (...args: string[]) => periplus(['dedupe', '--data', world.config.data, ...args])
const statusOf = async (id: number) => (await world.get(`/locations?version=1&ids=${id}`)).json()

test('a dry run shows pairs and changes nothing (R-149)', async () => {
  const report = join(folder.path, 'pairs.ndjson')
  const dry = await dedupe('--report', report)
  expect(dry).toMatchObject({ code: 0, stderr: '' })
  expect(dry.stdout).toContain('Nothing was changed')
  const pairs = readFileSync(report, 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(pairs.map(({ a, b, class: name, decision }) => [a.id, b.id, name, decision])).toEqual([
    [1, 2, 'stay', 'same'],
    [4, 5, 'stay', 'possible'],
    [6, 7, 'settlement', 'same'],
  ])
  expect(pairs[0]).toMatchObject({ keep: 2, reasons: expect.arrayContaining([{ field: 'phone', agrees: true }]) })
  expect(await statusOf(2)).not.toHaveProperty('merged_ids')
})

test('--write merges, imports keep the merge, and --undo takes it back', async () => {
  const written = (await dedupe('--classes', 'stay', '--prefer', 'a', '--write', '--json')).json<{
    run: string
    merged: number
    samples: readonly { readonly keep: number }[]
  }>()
  expect(written).toMatchObject({ merged: 1, skipped: 0, samples: [{ keep: 1 }] })
  await eventually(async () => expect(await statusOf(2)).toMatchObject({ merged_ids: [{ from: 2, to: 1 }] }))
  const found = (await world.get('/locations/1/reviews?version=1')).json() as { data: readonly { id: number }[] }
  expect(found.data.map(({ id }) => id).sort()).toEqual([11, 12])
  await eventually(async () => {
    const reply = await world.get('/locations?version=1&external_id=wikidata:Q2')
    expect((reply.json() as { data: readonly { id: number }[] }).data.map(({ id }) => id)).toEqual([1])
  })

  const again = await importRows(world.config, 'location', rows.slice(0, 2))
  expect(again.report).toMatchObject({ added: 0, unchanged: 2, notes: { merged: 1 } })
  expect(await statusOf(2)).toMatchObject({ merged_ids: [{ from: 2, to: 1 }] })

  // A part of an id, such as an empty variable of a shell, is no run.
  for (const part of ['', written.run.slice(0, -1)]) {
    const other = await dedupe('--undo', part)
    expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining('is in force') })
  }
  const undone = (await dedupe('--undo', written.run, '--json')).json()
  expect(undone).toEqual({ run: written.run, restored: 1, skipped: 0 })
  await eventually(async () => expect(await statusOf(2)).not.toHaveProperty('merged_ids'))
  await eventually(async () => {
    const reply = await world.get('/locations?version=1&external_id=wikidata:Q2')
    expect((reply.json() as { data: readonly { id: number }[] }).data.map(({ id }) => id)).toEqual([2])
  })
  const repeated = await dedupe('--undo', written.run)
  expect(repeated).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`No merge of the run '${written.run}' is in force.`),
  })
})

test.each([
  [['--classes', 'hotel'], 'The class hotel does not exist.'],
  [['--min', '0.5'], 'The score must be a number from 0.6 to 1.'],
  [['--undo', 'x', '--write'], 'cannot be used together'],
])('refuses %j', async (args, sentence) => {
  expect(await dedupe(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(sentence) })
})

test('--write merges nothing if the report cannot be written', async () => {
  const report = join(folder.path, 'missing', 'pairs.ndjson')
  const run = await dedupe('--classes', 'stay', '--write', '--report', report)
  expect(run.code).not.toBe(0)
  expect(run.stderr).toContain(report)
  expect(run.stderr).not.toContain('    at ')
  expect(await statusOf(2)).not.toHaveProperty('merged_ids')
})

test('an import that builds the index reports places of one name', async () => {
  const stdin = rows.map(row => `${JSON.stringify(row)}\n`).join('')
  const args = ['import', '-', '--data', join(folder.path, 'data'), '--json']
  expect((await periplus(args, { stdin })).json()).toMatchObject({
    possible_duplicates: [{ sources: ['a', 'b'], class: 'settlement', count: 1, examples: [[6, 7]] }],
  })
})

test('periplus match reads NDJSON and CSV', async () => {
  const csv = 'Name,Latitude,Longitude,Category\nDos Mares,36.0101,-5.6,hotel\nNowhere,0,0,\nAlone,,,\n'
  const run = (stdin: string, ...args: string[]) =>
    periplus(['match', '-', '--data', world.config.data, ...args], { stdin })
  const found = await run(csv)
  expect(found.code).toBe(0)
  const lines = found.stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(lines).toMatchObject([
    { line: 2, name: 'Dos Mares', matches: [{ decision: 'same' }] },
    { line: 3, matches: [] },
    { line: 4, problem: expect.stringContaining('name alone is not enough') },
  ])
  const counted = await run('{"name": "Camping Torre", "lat": 36.2, "lon": -5.6}\n', '--json')
  expect(counted.json()).toMatchObject({ records: 1, invalid: 0 })
})
