import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { periplus } from '../cli.ts'
import { dump } from '../dump.ts'
import { configFor, importBytes, ndjson } from '../world.ts'
import { createWorkspace, storedPlaces, wkbPoint } from './formats.ts'

const workspace = createWorkspace()
afterAll(workspace.remove)
const { file, fresh, parquet, run, tables } = workspace

/** The same three places in every format. */
const places = [
  { source_id: 'a', name: 'Museo del Prado', names: { en: 'Prado Museum' }, lat: 40.4138, lon: -3.6925, country: 'ES' },
  {
    source_id: 'b',
    name: 'Café "Nuncio", bar',
    category: 'cafe',
    lat: 40.4132,
    lon: -3.709,
    tags: ['wifi', 'terrace'],
  },
  { source_id: 'c', name: 'Two\nlines', lat: 0, lon: 180, rating: 4.5, review_count: 12, status: 'CLOSED' },
]
const quoted = (value: unknown) =>
  `"${(typeof value === 'object' ? JSON.stringify(value) : String(value ?? '')).replaceAll('"', '""')}"`
const names = [...new Set(places.flatMap(place => Object.keys(place)))]
const csvOf = (rows: readonly Record<string, unknown>[], columns = names, by = ',') =>
  [columns.join(by), ...rows.map(row => columns.map(name => quoted(row[name])).join(by))].join('\r\n')
const featureOf = ({ source_id, lat, lon, ...properties }: (typeof places)[number]) => ({
  type: 'Feature',
  id: source_id,
  geometry: { type: 'Point', coordinates: [lon, lat] },
  properties,
})
const column = (name: string, type?: 'DOUBLE' | 'INT32' | 'JSON') => ({
  name,
  type: type ?? ('STRING' as const),
  data: places.map(place => (place as Record<string, unknown>)[name] ?? null) as never[],
})

const same: Readonly<Record<string, string>> = {
  NDJSON: file('same.ndjson', ndjson(places)),
  CSV: file('same.csv', csvOf(places)),
  'CSV with semicolons, gzipped': file('same.csv.gz', gzipSync(csvOf(places, names, ';'))),
  'CSV by other names of columns': file(
    'renamed.csv',
    csvOf(places)
      .replace(
        names.join(','),
        'Place ID,Title,name:en,Latitude,LNG,Country-Code,Type,Keywords,score,reviews,Business Status',
      )
      .replace('{""en"":""Prado Museum""}', 'Prado Museum'),
  ),
  'a FeatureCollection': file(
    'same.geojson',
    JSON.stringify({ type: 'FeatureCollection', features: places.map(featureOf) }, null, 2),
  ),
  'features one a line': file('same.geojsonl', ndjson(places.map(featureOf))),
  'features behind separators': file(
    'same.geojsons',
    places.map(place => `\x1e${JSON.stringify(featureOf(place), null, 1)}\n`).join(''),
  ),
  Parquet: parquet('same.parquet', {
    columnData: [
      ...['source_id', 'name', 'country', 'category', 'status'].map(name => column(name)),
      ...['lat', 'lon', 'rating'].map(name => column(name, 'DOUBLE')),
      column('review_count', 'INT32'),
      column('names', 'JSON'),
      column('tags', 'JSON'),
    ],
  }),
}

describe('the same places in every format (rulings: Import format)', () => {
  test.concurrent.each(Object.entries(same))('%s', async (_name, path) => {
    const data = fresh()
    const first = await run(data, path, '--source', 's', '--kind', 'locations')
    expect(first.json(), first.stderr).toMatchObject({ read: 3, added: 3, rejected: 0 })
    const expected = join(workspace.path, `expected-${data.split('-').at(-1)}`)
    await run(expected, same.NDJSON!, '--source', 's')
    expect(tables(data).locations).toEqual(tables(expected).locations)
    expect((await run(data, path, '--source', 's')).json()).toMatchObject({ added: 0, changed: 0, unchanged: 3 })
  })

  test('reads every format from standard input except Parquet, which is refused with the reason', async () => {
    const { readFileSync } = await import('node:fs')
    for (const name of ['CSV', 'CSV with semicolons, gzipped', 'a FeatureCollection']) {
      const stdin = readFileSync(same[name]!)
      const ran = await periplus(['import', '-', '--data', fresh(), '--json', '--no-index'], { stdin })
      expect(ran.json(), ran.stderr).toMatchObject({ added: 3 })
    }
    const ran = await periplus(['import', '-', '--data', fresh(), '--json'], { stdin: readFileSync(same.Parquet!) })
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining('Save it as a file first')])
  })
})

describe('CSV', () => {
  test('recognises reviews by their columns', async () => {
    const data = fresh()
    await run(data, same.NDJSON!, '--source', 's')
    const reviews = file(
      'reviews.csv',
      'review_id,place_id,stars,comment,date,author\nr1,a,5,Superb,2026-05-01,Ann\nr2,b,,"Fine, mostly",,\n',
    )
    const ran = await run(data, reviews, '--source', 's')
    expect(ran.json(), ran.stderr).toMatchObject({ added: 2, rejected: 0 })
    expect(tables(data).reviews).toMatchObject([
      { rating: 500n, published_ms: BigInt(Date.parse('2026-05-01')), record: expect.stringContaining('"Ann"') },
      { rating: 0n, record: expect.stringContaining('Fine, mostly') },
    ])
  })

  const one = async (header: string, row: string, ...flags: string[]) => {
    const data = fresh()
    const ran = await run(
      data,
      file(`one-${data.split('-').at(-1)}.csv`, `${header}\n${row}\n`),
      '--source',
      's',
      ...flags,
    )
    return { ran, place: Object.values(storedPlaces(tables(data)))[0] }
  }
  const rows: [name: string, header: string, row: string, expected: object, ...flags: string[]][] = [
    [
      'both coordinates in one column',
      'id,name,coordinates',
      '1,x,"40.4, -3.7"',
      { coordinates: { latitude: 40.4, longitude: -3.7 } },
    ],
    [
      'well-known text, longitude first',
      'id;name;geom',
      '1;x;POINT (-3.7 40.4)',
      { coordinates: { latitude: 40.4, longitude: -3.7 } },
    ],
    ['decimal commas', 'id;name;lat;lon', '1;x;40,4;-3,7', { coordinates: { latitude: 40.4, longitude: -3.7 } }],
    [
      'a column with a misleading name',
      'id,name,lat,lon,location',
      '1,x,1,2,Madrid',
      { coordinates: { latitude: 1, longitude: 2 } },
    ],
    [
      'a name for each language',
      'id,name,name_es,name:fr,lat,lon',
      '1,x,equis,ics,1,2',
      {
        names: expect.arrayContaining([
          { language: 'es', value: 'equis' },
          { language: 'fr', value: 'ics' },
        ]),
      },
    ],
    [
      'one column per subrating',
      'id,name,lat,lon,rating,reviews,subrating_value',
      '1,x,1,2,4,3,4.5',
      { ownRatings: expect.objectContaining({ subratings: [expect.objectContaining({ rating: 4.5 })] }) },
    ],
    ['ids that are not numbers', 'id,name,lat,lon', 'node/17,x,1,2', { externalIds: [{ source: 's', id: 'node/17' }] }],
    [
      'opening hours in OpenStreetMap syntax',
      'id,name,lat,lon,opening_hours',
      '1,x,1,2,Mo 09:00-17:00',
      {
        openingHours: {
          periods: [{ dayOfWeek: 'MONDAY', opens: '09:00', closes: '17:00' }],
          formatted: ['Mo 09:00-17:00'],
        },
      },
    ],
    [
      'lists separated by semicolons',
      'id,name,lat,lon,alt_name',
      '1,x,1,2,uno; eins',
      { alternateNames: ['uno', 'eins'] },
    ],
    [
      'columns named with --map',
      'k,lab,a,b',
      '7,x,1,2',
      { names: [{ value: 'x', primary: true }] },
      '--map',
      'id=k',
      '--map',
      'name=lab',
      '--map',
      'lat=a',
      '--map',
      'lon=b',
    ],
    [
      'columns without a header',
      '1,Prado,40.4,-3.7',
      '2,Louvre,48.8,2.3',
      { names: [{ value: 'Prado', primary: true }] },
      '--map',
      'id=column_1',
      '--map',
      'name=column_2',
      '--map',
      'lat=column_3',
      '--map',
      'lon=column_4',
    ],
    [
      'a delimiter set with --delimiter',
      'id#name#lat#lon',
      '1#x#1#2',
      { coordinates: { latitude: 1, longitude: 2 } },
      '--delimiter',
      '#',
      '--format',
      'csv',
    ],
  ]
  test.concurrent.each(rows)('%s', async (_name, header, row, expected, ...flags) => {
    const { ran, place } = await one(header, row, ...flags)
    expect(place, ran.stderr + ran.stdout).toMatchObject(expected)
  })

  test('reports a rejected row by its line number, which counts quoted line ends', async () => {
    const text = 'id,name,lat,lon\n1,"a\nb",1,2\n2,far,91,2\n3,"no\n\nlat",,2\n4,x,1\n5,y,1,2\n'
    const ran = await periplus(['import', '--data', fresh(), '--no-index', file('lines.csv', text)])
    for (const said of ['line 4: latitude_out_of_range', 'line 5: missing_coordinates', 'line 8: ragged_row'])
      expect(ran.stdout).toContain(said)
  })

  test('rows in CSV give the same records as in NDJSON', async () => {
    const text = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
      .map(one => `N${one.toWellFormed().replaceAll('\0', '')}`)
    const row = fc.record(
      {
        name: text,
        lat: fc.double({ min: -90, max: 90, noNaN: true }),
        lon: fc.double({ min: -180, max: 180, noNaN: true }),
        city: text,
        address: text,
        names: fc.dictionary(fc.constantFrom('en', 'fr', 'zh-Hant', 'es-MX'), text, { minKeys: 1 }),
        description: text,
        stars: fc.integer({ min: 1, max: 5 }),
      },
      { requiredKeys: ['name', 'lat', 'lon'] },
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 20 }),
        fc.constantFrom(',', ';', '\t', '|'),
        async (rows, by) => {
          const records = rows.map((one, i) => ({ id: i + 1, ...one }))
          const columns = ['id', 'name', 'lat', 'lon', 'city', 'address', 'names', 'description', 'stars']
          const [asCsv, asJson] = [configFor(fresh()), configFor(fresh())]
          const csv = await importBytes(asCsv, csvOf(records, columns, by))
          const json = await importBytes(asJson, ndjson(records))
          expect([csv.report.added, csv.rejected]).toEqual([json.report.added, json.rejected])
          expect(dump(asCsv).tables.locations).toEqual(dump(asJson).tables.locations)
        },
      ),
      { numRuns: 12 },
    )
  })
})

describe('GeoJSON', () => {
  test('takes the centroid of areas, maps properties by name, and rejects features without a point', async () => {
    const data = fresh()
    const square = [
      [
        [0, 0],
        [2, 0],
        [2, 2],
        [0, 2],
        [0, 0],
      ],
    ]
    const features = [
      {
        type: 'Feature',
        id: 'park',
        geometry: { type: 'Polygon', coordinates: square },
        properties: { name: 'Park', 'addr:city': 'Madrid', website: 'https://park.example', id: 'way/1' },
      },
      {
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [5, 6] },
        properties: { id: 77, name: 'By its own id' },
      },
      {
        type: 'Feature',
        id: 'lines',
        geometry: { type: 'MultiLineString', coordinates: [] },
        properties: { name: 'Lines' },
      },
      { type: 'Feature', id: 'nowhere', geometry: null, properties: { name: 'Nowhere' } },
      { type: 'Thing', id: 'thing' },
    ]
    const path = file('areas.geojson', JSON.stringify({ type: 'FeatureCollection', features }))
    const ran = await periplus(['import', '--data', data, '--no-index', '--source', 's', path])
    for (const said of [
      'feature 3: unsupported_geometry',
      'feature 4: missing_coordinates',
      'feature 5: not_a_feature',
    ])
      expect(ran.stdout).toContain(said)
    expect(tables(data).locations).toMatchObject([{ id: 1n }, { id: 77n }])
    expect(storedPlaces(tables(data)).park).toMatchObject({
      coordinates: { latitude: 1, longitude: 1 },
      geo: 'Madrid',
      urls: { official: 'https://park.example' },
    })
  })
})

describe('reports invalid files and mappings', () => {
  const parquetBytes = async () => (await import('node:fs')).readFileSync(same.Parquet!)
  const rows: [
    name: string,
    content: () => string | Buffer | Promise<Buffer>,
    code: number,
    says: string,
    ...flags: string[],
  ][] = [
    [
      'a missing column in CSV',
      () => 'id,name,lat,lon\n1,x,1,2\n',
      2,
      'The columns are: id, name, lat, lon.',
      '--map',
      'city=town',
    ],
    [
      'a missing column in NDJSON',
      () => '{"id":1,"name":"x","lat":1,"lon":2}\n',
      2,
      'The columns are: id, name, lat, lon.',
      '--map',
      'city=town',
    ],
    [
      'a missing column in Parquet',
      parquetBytes,
      2,
      'Column town, which is mapped to field city, does not exist.',
      '--map',
      'city=town',
    ],
    [
      'an unknown field',
      () => 'id,name,lat,lon\n1,x,1,2\n',
      2,
      'The field town in --map does not exist',
      '--map',
      'town=name',
    ],
    ['half of a mapping', () => 'id,name,lat,lon\n1,x,1,2\n', 2, 'field=column', '--map', 'town'],
    ['a table without coordinates', () => 'id,name\n1,x\n', 2, 'lat, lon of a location', '--kind', 'locations'],
    ['a table without a key', () => 'name,lat,lon\nx,1,2\n', 2, 'id or source_id'],
    ['a table of an unknown kind', () => 'a,b\n1,2\n', 2, '--kind locations or --kind reviews'],
    ['no such format', () => 'a,b\n', 2, 'parquet', '--format', 'xlsx'],
    ['a JSON array', () => '[\n{"id":1}\n]', 1, 'jq'],
    ['a truncated Parquet file', async () => (await parquetBytes()).subarray(0, -200), 1, 'incomplete'],
    [
      'a corrupt Parquet file',
      async () => {
        const bytes = Buffer.from(await parquetBytes())
        bytes.fill(0xff, 4, 300)
        return bytes
      },
      1,
      'incomplete',
    ],
    ['Parquet within gzip', async () => gzipSync(await parquetBytes()), 1, 'Decompress it first'],
    [
      'a truncated GeoJSON collection',
      () => '{"type":"FeatureCollection","features":[{"type":"Feature"',
      1,
      'not valid GeoJSON at feature 1',
    ],
    [
      'truncated gzipped CSV',
      () => gzipSync(`id,name,lat,lon\n${'1,x,1,2\n'.repeat(9000)}`).subarray(0, -30),
      1,
      'incomplete',
    ],
  ]
  test.concurrent.each(rows)('%s', async (name, content, code, says, ...flags) => {
    const path = file(`broken-${name.replaceAll(' ', '-')}`, await content())
    const ran = await run(fresh(), path, ...flags)
    expect([ran.code, ran.stderr], ran.stdout).toEqual([code, expect.stringContaining(says)])
    expect(ran.stderr).not.toMatch(/^\s+at /m)
  })

  test.concurrent.each([
    ['an empty file', ''],
    ['a header alone', 'id,name,lat,lon\n'],
    ['an empty collection', '{"type":"FeatureCollection","features":[]}'],
  ])('%s is not an error', async (name, content) => {
    const ran = await run(fresh(), file(`empty-${name.replaceAll(' ', '-')}`, content))
    expect([ran.code, ran.json()], ran.stderr).toEqual([0, expect.objectContaining({ read: 0, added: 0 })])
  })

  test('the first of two columns with the same name counts', async () => {
    const data = fresh()
    await run(data, file('twice.csv', 'id,name,name,lat,lon\n1,first,second,1,2\n'))
    expect(Object.values(storedPlaces(tables(data)))[0]).toMatchObject({ names: [{ value: 'first' }] })
  })
})

describe('--dry-run', () => {
  test('prints the format, the mapping of fields, and five records as they would be stored', async () => {
    const data = fresh()
    mkdirSync(data)
    const text = `fsq,Title,Lat,Long,colour\n${Array.from({ length: 8 }, (_, i) => `p${i},Place ${i},${i},${i},red`).join('\n')}\n`
    const path = file('dry.csv', text)
    const flags = ['--dry-run', '--map', 'source_id=fsq', '--source', 's']
    const ran = await run(data, path, ...flags)
    const report = ran.json<{ files: { sample: object[] }[] }>()
    expect(report, ran.stderr).toMatchObject({
      dry_run: true,
      added: 8,
      files: [
        {
          file: path,
          format: 'csv',
          kind: 'locations',
          source: 's',
          mapping: [
            { field: 'source_id', column: 'fsq' },
            { field: 'name', column: 'Title' },
            { field: 'lat', column: 'Lat' },
            { field: 'lon', column: 'Long' },
          ],
          unused_columns: ['colour'],
        },
      ],
    })
    expect(report.files[0]!.sample).toHaveLength(5)
    expect(report.files[0]!.sample[4]).toMatchObject({
      source: 's',
      sourceId: 'p4',
      names: [{ value: 'Place 4', primary: true }],
      coordinates: { latitude: 4, longitude: 4 },
      status: { value: 'OPEN' },
    })
    const human = await periplus(['import', '--data', data, path, ...flags])
    for (const said of [
      'csv, locations',
      'source_id  fsq',
      'name       Title',
      'dry.csv: colour',
      '"Place 4"',
      'dry run',
    ])
      expect(human.stdout).toContain(said)
    // It makes no files of a data folder.
    expect(readdirSync(data)).toEqual([])
  })
})

describe('published tables', () => {
  test('Overture places', async () => {
    const data = fresh()
    const rows = [
      {
        id: 'o1',
        status: 'open',
        point: wkbPoint(-3.7, 40.4),
        category: ['food_and_drink', 'restaurant', 'pizza_restaurant'],
        confidence: 0.93,
      },
      {
        id: 'o2',
        status: 'permanently_closed',
        point: wkbPoint(2.3, 48.8),
        category: ['lodging', 'hotel'],
        confidence: 0.2,
      },
      { id: 'o3', status: 'temporarily_closed', point: null, category: null, confidence: null },
    ]
    const json = (of: (row: (typeof rows)[number]) => unknown) => rows.map(of) as never[]
    const path = parquet('overture.parquet', {
      codec: 'SNAPPY',
      columnData: [
        { name: 'id', type: 'STRING', data: rows.map(row => row.id) },
        {
          name: 'geometry',
          type: 'GEOMETRY',
          data: rows.map(row =>
            row.point ? { type: 'Point', coordinates: row.id === 'o1' ? [-3.7, 40.4] : [2.3, 48.8] } : null,
          ) as never[],
        },
        { name: 'bbox', type: 'JSON', data: json(() => ({ xmin: 1, xmax: 3, ymin: 4, ymax: 6 })) },
        {
          name: 'names',
          type: 'JSON',
          data: json(row => ({
            primary: `Place ${row.id}`,
            common: { en: `English ${row.id}` },
            rules: [{ variant: 'alternate', value: `Alias ${row.id}` }],
          })),
        },
        {
          name: 'categories',
          type: 'JSON',
          data: json(row => ({ primary: row.category?.at(-1) ?? 'museum', alternate: ['italian_restaurant'] })),
        },
        {
          name: 'taxonomy',
          type: 'JSON',
          data: json(row => row.category && { primary: row.category.at(-1), hierarchy: row.category }),
        },
        { name: 'operating_status', type: 'STRING', data: rows.map(row => row.status) },
        { name: 'confidence', type: 'DOUBLE', data: rows.map(row => row.confidence) as never[] },
        { name: 'websites', type: 'JSON', data: json(() => ['https://place.example']) },
        { name: 'phones', type: 'JSON', data: json(() => ['+34 1']) },
        { name: 'emails', type: 'JSON', data: json(() => ['a@place.example']) },
        { name: 'brand', type: 'JSON', data: json(() => ({ wikidata: 'Q7', names: { primary: 'Acme' } })) },
        {
          name: 'addresses',
          type: 'JSON',
          data: json(() => [
            { freeform: 'Calle 1', locality: 'Madrid', postcode: '28001', region: 'ES-MD', country: 'ES' },
          ]),
        },
        { name: 'socials', type: 'JSON', data: json(() => ['https://www.facebook.com/1017', 'https://vk.com/prado/']) },
        {
          name: 'sources',
          type: 'JSON',
          data: json(row => [
            { property: '', dataset: 'meta', record_id: `m-${row.id}`, confidence: 0.9 },
            { property: '/properties/names', dataset: 'Foursquare', record_id: 'f', license: 'Apache-2.0' },
            { property: '/properties/phones', dataset: 'meta', record_id: `m-${row.id}` },
          ]),
        },
        { name: 'version', type: 'INT32', data: [1, 1, 1] },
      ],
    })
    const ran = await run(data, path)
    expect(ran.json(), ran.stderr).toMatchObject({ added: 3, rejected: 0 })
    const stored = storedPlaces(tables(data))
    expect(stored.o1).toMatchObject({
      names: [
        { value: 'Place o1', primary: true },
        { language: 'en', value: 'English o1' },
      ],
      alternateNames: ['Alias o1'],
      coordinates: { latitude: 40.4, longitude: -3.7 },
      status: { value: 'OPEN' },
      categories: [{ id: 'pizza_restaurant', displayName: 'Pizza restaurant', topLevelCategory: 'RESTAURANT' }],
      addresses: [{ streetAddress: 'Calle 1', city: 'Madrid', state: 'MD', postalCode: '28001', countryCode: 'ES' }],
      accommodation: { brand: 'Acme' },
      urls: { official: 'https://place.example' },
      phoneNumbers: [{ value: '+34 1' }],
      officialEmail: 'a@place.example',
      attributes: [
        { id: 'brand.Q7', name: 'Acme' },
        { id: 'subcategory.italian_restaurant', name: 'Italian restaurant' },
        { typeId: 'confidence', name: '0.93' },
      ],
      externalIds: [
        { source: 'overture', id: 'o1' },
        { source: 'facebook', id: '1017' },
        { source: 'vk.com', id: 'prado' },
        { source: 'meta', id: 'm-o1' },
      ],
      attributions: [
        { source: 'meta', license: 'CDLA-Permissive-2.0' },
        { source: 'Foursquare', license: 'Apache-2.0' },
      ],
    })
    expect(stored.o2).toMatchObject({ status: { value: 'CLOSED' }, categories: [{ topLevelCategory: 'HOTEL' }] })
    expect(stored.o3).toMatchObject({
      status: { value: 'TEMPORARILY_CLOSED' },
      coordinates: { latitude: 5, longitude: 2 },
      categories: [{ id: 'museum', topLevelCategory: 'ATTRACTION' }],
    })
    expect((await run(data, path)).json()).toMatchObject({ unchanged: 3, changed: 0 })
  })

  test('Overture with nested columns, compressed with Zstandard', async () => {
    const data = fresh()
    const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8' } as const
    const optional = { repetition_type: 'OPTIONAL' } as const
    const repeated = { repetition_type: 'REPEATED' } as const
    const path = parquet('nested.parquet', {
      codec: 'ZSTD',
      compressors: { ZSTD: bytes => new Uint8Array(zstdCompressSync(bytes)) },
      kvMetadata: [{ key: 'geo', value: JSON.stringify({ columns: { geometry: { encoding: 'WKB' } } }) }],
      schema: [
        { name: 'root', num_children: 5 },
        { name: 'id', ...optional, ...text },
        { name: 'geometry', ...optional, type: 'BYTE_ARRAY' },
        { name: 'names', ...optional, num_children: 2 },
        { name: 'primary', ...optional, ...text },
        { name: 'common', ...optional, converted_type: 'MAP', num_children: 1 },
        { name: 'key_value', ...repeated, num_children: 2 },
        { name: 'key', repetition_type: 'REQUIRED', ...text },
        { name: 'value', ...optional, ...text },
        { name: 'categories', ...optional, num_children: 2 },
        { name: 'primary', ...optional, ...text },
        { name: 'alternate', ...optional, converted_type: 'LIST', num_children: 1 },
        { name: 'list', ...repeated, num_children: 1 },
        { name: 'element', ...optional, ...text },
        { name: 'confidence', ...optional, type: 'DOUBLE' },
      ],
      columnData: [
        { name: 'id', data: ['a', 'b'] },
        { name: 'geometry', data: [wkbPoint(1, 2), wkbPoint(3, 4)] },
        {
          name: 'names',
          data: [
            { primary: 'A', common: { en: 'A en' } },
            { primary: 'B', common: null },
          ] as never[],
        },
        { name: 'categories', data: [{ primary: 'museum', alternate: ['zoo'] }, null] as never[] },
        { name: 'confidence', data: [0.5, 0.75] },
      ],
    })
    const ran = await run(data, path, '--map', 'city=names.primary')
    expect(ran.json(), ran.stderr).toMatchObject({ added: 2 })
    expect(storedPlaces(tables(data)).a).toMatchObject({
      names: [{ value: 'A' }, { language: 'en', value: 'A en' }],
      geo: 'A',
      coordinates: { latitude: 2, longitude: 1 },
      categories: [{ id: 'museum' }],
      attributes: expect.arrayContaining([expect.objectContaining({ id: 'subcategory.zoo' })]),
    })
  })

  test('Foursquare OS Places', async () => {
    const data = fresh()
    const text = (name: string, ...values: (string | null)[]) => ({
      name,
      type: 'STRING' as const,
      data: values as never[],
    })
    const path = parquet('foursquare.parquet', {
      columnData: [
        text('fsq_place_id', 'f1', 'f2'),
        text('name', 'Trattoria', 'Old Inn'),
        { name: 'latitude', type: 'DOUBLE', data: [40.4, 48.8] },
        { name: 'longitude', type: 'DOUBLE', data: [-3.7, 2.3] },
        text('address', 'Calle 1', null),
        text('locality', 'Madrid', 'Paris'),
        text('region', 'MD', null),
        text('postcode', '28001', null),
        text('country', 'ES', 'FR'),
        text('date_closed', null, '2024-02-29'),
        text('tel', '+34 1', null),
        text('website', 'https://place.example', null),
        text('email', 'a@place.example', null),
        text('date_refreshed', '2025-02-03', null),
        text('post_town', 'ignored', 'Paris 2'),
        text('admin_region', null, 'Ile-de-France'),
        { name: 'unresolved_flags', type: 'JSON', data: [['duplicate'], null] as never[] },
        text('placemaker_url', 'https://foursquare.com/placemakers/1', null),
        {
          name: 'fsq_category_labels',
          type: 'JSON',
          data: [
            ['Dining and Drinking > Restaurant > Italian Restaurant'],
            ['Travel and Transportation > Lodging > Inn'],
          ] as never[],
        },
      ],
    })
    const ran = await run(data, path)
    expect(ran.json(), ran.stderr).toMatchObject({ added: 2, rejected: 0 })
    const stored = storedPlaces(tables(data))
    expect(stored.f1).toMatchObject({
      names: [{ value: 'Trattoria' }],
      status: { value: 'OPEN' },
      categories: [
        {
          id: 'italian_restaurant',
          hierarchy: ['Dining and Drinking', 'Restaurant', 'Italian Restaurant'],
          topLevelCategory: 'RESTAURANT',
        },
      ],
      attributions: [{ license: 'Apache-2.0', url: 'https://foursquare.com/placemakers/1' }],
      attributes: [
        { id: 'date_refreshed', name: '2025-02-03', type: 'Refreshed' },
        { id: 'unresolved_flags.duplicate', name: 'duplicate' },
      ],
      geo: 'Madrid',
      phoneNumbers: [{ value: '+34 1' }],
      externalIds: [{ source: 'foursquare', id: 'f1' }],
    })
    expect(stored.f2).toMatchObject({
      status: { value: 'CLOSED', closedDate: '2024-02-29' },
      addresses: [{ state: 'Ile-de-France' }],
      categories: [{ topLevelCategory: 'HOTEL' }],
    })
  })

  test('any other Parquet with geometry, 64-bit ids and several row groups', async () => {
    const data = fresh()
    const many = Array.from({ length: 5000 }, (_, i) => i)
    const path = parquet('plain.parquet', {
      rowGroupSize: 700,
      columnData: [
        { name: 'id', type: 'INT64', data: many.map(i => 9_000_000_000_000_000_000n + BigInt(i)) },
        { name: 'title', type: 'STRING', data: many.map(i => `Place ${i}`) },
        { name: 'geometry', type: 'BYTE_ARRAY', data: many.map(i => wkbPoint(i / 100, i / 100)) },
        { name: 'updated', type: 'TIMESTAMP', data: many.map(i => new Date(i)) },
      ],
    })
    const ran = await run(data, path)
    expect(ran.json(), ran.stderr).toMatchObject({ read: 5000, added: 5000 })
    expect(tables(data).locations!.at(-1)).toMatchObject({ id: 9_000_000_000_000_004_999n })
  })
})
