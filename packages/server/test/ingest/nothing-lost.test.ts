import { afterAll, describe, expect, test } from 'vitest'
import { periplus } from '../cli.ts'
import { ndjson } from '../world.ts'
import { createWorkspace, storedPlaces } from './formats.ts'

const workspace = createWorkspace()
afterAll(workspace.remove)
const { file, fresh, run, tables } = workspace

const place = { source_id: 'a', name: 'Prado', lat: 40.4, lon: -3.7 }

describe('a report names what an import has not read (R-162)', () => {
  test('unused columns of every file, and unknown categories, statuses and countries', async () => {
    const data = fresh()
    const first = file('unused.csv', 'id,name,lat,lon,colour,type\n1,Prado,40.4,-3.7,red,izakaya\n')
    const second = file(
      'unused.ndjson',
      ndjson([
        { ...place, source_id: 'b', category: 'Izakaya', country: 'Atlantis' },
        { ...place, source_id: 'c', category: 'zoo', shape: 'round' },
        { ...place, source_id: 'd', status: 'haunted' },
      ]),
    )
    const ran = await run(data, first, second)
    expect(ran.json(), ran.stderr).toMatchObject({
      notes: { unknown_category: 2, unknown_country: 1 },
      reasons: { unknown_status: 1 },
      unknown: {
        categories: [{ value: 'izakaya', count: 2 }],
        statuses: [{ value: 'haunted', count: 1 }],
        countries: [{ value: 'Atlantis', count: 1 }],
      },
      files: [
        { file: first, unused_columns: ['colour'], sample: [] },
        { file: second, unused_columns: ['shape'] },
      ],
    })
    const human = await periplus(['import', '--data', data, '--no-index', first, second])
    for (const said of [
      `Not used in ${first}: colour`,
      'Unknown categories, served as OTHER until --category-map assigns them: izakaya (2)',
      'Unknown statuses, whose rows were rejected: haunted (1)',
      'Unknown countries, which were dropped: Atlantis (1)',
    ])
      expect(human.stdout).toContain(said)
  })

  test('a column that occurs after the first rows only', async () => {
    const rows = Array.from({ length: 1200 }, (_, i) => ({ ...place, source_id: `${i}` }))
    const path = file('late.ndjson', ndjson([...rows, { ...place, source_id: 'late', colour: 'red' }]))
    const ran = await run(fresh(), path, '--dry-run')
    expect(ran.json(), ran.stderr).toMatchObject({ files: [{ unused_columns: ['colour'] }] })
  })
})

describe('NDJSON by other names of fields', () => {
  test('a review keeps its language and time, and a place its operating status', async () => {
    const data = fresh()
    await run(data, file('place.ndjson', ndjson([{ ...place, operating_status: 'permanently_closed', zip: '28014' }])))
    const review = {
      source_id: 'r',
      place_source_id: 'a',
      text: 'Sublime.',
      language: 'fr',
      published_at: '2026-05-01',
    }
    const ran = await run(data, file('review.ndjson', ndjson([review])))
    expect(ran.json(), ran.stderr).toMatchObject({ added: 1, files: [{ unused_columns: [] }] })
    expect(tables(data).reviews).toMatchObject([
      { published_ms: BigInt(Date.parse('2026-05-01')), record: expect.stringContaining('"language":"fr"') },
    ])
    expect(storedPlaces(tables(data)).a).toMatchObject({
      status: { value: 'CLOSED' },
      addresses: [{ postalCode: '28014' }],
    })
  })

  test('never those of fields that identify or remove a record', async () => {
    const data = fresh()
    const other = { location_id: 7, ref: 'x', place_id: 'y', is_deleted: true, duplicate_of: 5 }
    const ran = await run(data, file('key.ndjson', ndjson([{ ...place, ...other }])))
    expect(ran.json(), ran.stderr).toMatchObject({ added: 1, files: [{ unused_columns: Object.keys(other) }] })
    expect(Object.keys(storedPlaces(tables(data)))).toEqual(['a'])
  })
})

describe('--category-map', () => {
  const places = file('izakaya.ndjson', ndjson([{ ...place, category: 'Izakaya bar' }]))

  test.each([
    ['JSON', '{"izakaya bar": "restaurant"}'],
    ['CSV', 'word,category\nizakaya bar,restaurant\n'],
    ['CSV of a spreadsheet', '\ufeffIzakaya bar;restaurant\r\n'],
    ['CSV in UTF-16', Buffer.from('\ufeffIzakaya bar\trestaurant\r\n', 'utf16le')],
    ['CSV in Windows-1252', Buffer.from('Caf\xe9;cafe\nIzakaya bar;restaurant\n', 'latin1')],
  ])('%s assigns an unknown word', async (name, content) => {
    const data = fresh()
    const ran = await run(data, places, '--category-map', file(`map-${name}`, content))
    expect(ran.json(), ran.stderr).toMatchObject({ added: 1, notes: {} })
    expect(storedPlaces(tables(data)).a).toMatchObject({
      categories: [{ id: 'izakaya_bar', topLevelCategory: 'RESTAURANT' }, { id: 'restaurant' }],
    })
  })

  test.each([
    ['no-utf8', Buffer.from('x,museum\n\xc3\xa9\xff\xc3\xa9,museum\n', 'latin1'), 'The file is not text in UTF-8.'],
    ['no-json', '{"a":', 'The file is not valid JSON'],
    ['no-text', '{"a": 1}', 'The category of a must be text.'],
    ['unknown-category', 'izakaya,restorant\n', 'Line 1: restorant is not in the category tree; the nearest ids are'],
    ['known-word', 'x,museum\nhotel,museum\n', 'Line 2: hotel is in the category tree already.'],
    ['no-category', 'izakaya\n', 'Line 1: a word or its category is missing.'],
    ['empty', '', 'The file assigns no words.'],
  ])('a wrong map is refused with its lines: %s', async (name, content, says) => {
    const ran = await run(fresh(), places, '--category-map', file(`wrong-${name}`, content))
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(says)])
  })

  test('single words are assigned by flags, before those of the file, and wrong ones are refused', async () => {
    const data = fresh()
    const map = ['--category-map', file('other-map.csv', 'izakaya bar,museum\n')]
    await run(data, places, ...map, '--category', 'Izakaya bar=restaurant')
    expect(storedPlaces(tables(data)).a).toMatchObject({ categories: [{ id: 'izakaya_bar' }, { id: 'restaurant' }] })
    for (const [text, says] of [
      ['izakaya', 'Must be word=category, as in --category izakaya=restaurant.'],
      ['izakaya=restorant', '--category cannot be used:\n  izakaya=restorant: restorant is not in the category tree'],
    ] as const) {
      const ran = await run(fresh(), places, '--category', text)
      expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(says)])
    }
  })

  test('a map that does not exist is refused', async () => {
    const ran = await run(fresh(), places, '--category-map', 'missing.json')
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('The file cannot be read (ENOENT)')])
  })
})
