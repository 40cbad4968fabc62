import { readFileSync } from 'node:fs'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { foursquare } from '../../src/ingest/mapping/foursquare.ts'
import { createOsmTable } from '../../src/ingest/mapping/osm/osm.ts'
import { overture } from '../../src/ingest/mapping/overture.ts'
import { bundledFile } from '../../src/kit/bundled.ts'
import { periplus } from '../cli.ts'
import { createWorkspace, storedPlaces } from './formats.ts'
import { osmPbf } from './osm-pbf.ts'

const workspace = createWorkspace()
afterAll(workspace.remove)
const { file, fresh, run, tables } = workspace

const latin1 = (text: string) => Buffer.from(text, 'latin1')
const utf16 = (text: string) => Buffer.from(text, 'utf16le')

/** Files as spreadsheets and map services write them, and what the report says about each. */
const awkward: Readonly<Record<string, { readonly content: string | Buffer; readonly encoding?: string }>> = {
  'excel-german.csv': {
    content: latin1(
      'Kennung;Name;Breitengrad;L\xe4ngengrad;Stra\xdfe;Hausnummer;PLZ;Ort;Land;Bewertung\r\n' +
        'de1;Caf\xe9 K\xf6nig;52,5163;13,3777;Pariser Platz;4a;10117;Berlin;Deutschland;4,5\r\n',
    ),
    encoding: 'Windows-1252',
  },
  'excel-unicode.txt': {
    content: utf16(
      '\ufeffkey\tNom\tLatitude\tLongitude\tRue\tVille\tPays\r\nfr1\tL’Étoile\t48,8738\t2,295\tPlace Étoile\tParis\tFrance\r\n',
    ),
    encoding: 'UTF-16LE',
  },
  'big-endian.csv': {
    content: utf16('key,nome,latitudine,longitudine,città,paese\nit1,Bar Perù,45.4642,9.19,Milano,Italia\n').swap16(),
    encoding: 'UTF-16BE',
  },
  'separator-line.csv': {
    content:
      '\ufeffsep=;\r\nkey;nombre;latitud;longitud;país;coordenadas\r\nes1;Prado;40.4138;-3.6925;España;"x, y"\r\n',
    encoding: 'UTF-8',
  },
  'pasted-coordinates.csv': {
    content: 'key;name;Koordinaten;Land\nat1;Prater;"48,2166; 16,3958";AUT\n',
    encoding: 'UTF-8',
  },
  'japanese.csv': {
    content: '番号,名称,緯度,経度,住所,郵便番号,国名\njp1,東京タワー,35.6586,139.7454,芝公園4-2-8,105-0011,日本\n',
    encoding: 'UTF-8',
  },
  'chinese.csv': { content: '编号,名称,纬度,经度,城市,国家\ncn1,故宫,39.9163,116.3972,北京,中国\n', encoding: 'UTF-8' },
  'expanded.csv': {
    content: 'key;name;Breite;Laengengrad;Strasse;Hausnr;Land\nde2;Kino;50,11;8,68;Zeil;106;Federal Republic\n',
    encoding: 'UTF-8',
  },
  'overture.geojson': {
    content: JSON.stringify({
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          id: 'ov1',
          geometry: { type: 'Point', coordinates: [2.3, 48.8] },
          properties: {
            names: { primary: 'Musée', common: { en: 'Museum' } },
            categories: { primary: 'museum', alternate: ['art_gallery'] },
            confidence: 0.9,
            operating_status: 'temporarily_closed',
            sources: [{ property: '', dataset: 'AllThePlaces', record_id: 'atp-1' }],
            addresses: [{ locality: 'Paris', country: 'FR' }],
          },
        },
      ],
    }),
    encoding: 'UTF-8',
  },
  'overpass.json': {
    content:
      '{"version":0.6,"elements":[{"type":"way","id":5,"center":{"lat":48.1,"lon":11.5},"tags":{"railway":"station","name":"Bahnhof"}}]}',
    encoding: 'UTF-8',
  },
  'places.osm.pbf': {
    content: osmPbf({ nodes: [{ id: 9, lon: 7, lat: 46, tags: { natural: 'peak', name: 'Horn' } }] }),
  },
  'foursquare.parquet': {
    content: Buffer.from(
      parquetWriteBuffer({
        columnData: [
          { name: 'fsq_place_id', data: ['fsq1'] },
          { name: 'name', data: ['Inn'] },
          { name: 'latitude', data: [48.8], type: 'DOUBLE' },
          { name: 'longitude', data: [2.3], type: 'DOUBLE' },
          { name: 'date_closed', data: ['2024-02-29'] },
          { name: 'date_refreshed', data: ['2025-02-03'] },
        ],
      }),
    ),
  },
}

let stored: Record<string, Record<string, unknown>>
let report: { files: { file: string; encoding?: string; unused_columns: string[] }[]; [name: string]: unknown }

beforeAll(async () => {
  const data = fresh()
  const files = Object.entries(awkward).map(([name, { content }]) => file(name, content))
  const ran = await run(data, ...files, '--kind', 'locations', '--source', 's')
  report = ran.json()
  expect(report, ran.stderr).toMatchObject({ read: files.length, added: files.length, rejected: 0 })
  stored = storedPlaces(tables(data))
})

test('the columns that the guide promises for published data are read', () => {
  const guide = readFileSync(bundledFile('docs/guides/import-data.md'), 'utf8')
  const rows = guide
    .slice(guide.indexOf('## Columns of published data'))
    .split('\n')
    .filter(line => line.startsWith('| ') && !/^\| (read as|source, |not read)/.test(line))
    .map(line => line.split('|').slice(2, 5))
  expect(rows.length).toBeGreaterThan(8)
  const osm = createOsmTable('2026-01-01')
  const readers = [overture, foursquare].map(
    ({ columns }) =>
      (name: string) =>
        columns.includes(name.split(/[.[]/, 1)[0]!),
  )
  const isRead = [...readers, (name: string) => osm.isRead!(name.replace('*', 'x'))]
  // Words in the cells that are no columns: members of columns that were named before, and values.
  const values = /^(common|rules|4S|Apache-2.0|ODbL-1.0|node\/1|way\/2|relation\/3|yes)$/
  for (const [i, reads] of isRead.entries()) {
    const names = rows.flatMap(cells => [...(cells[i] ?? '').matchAll(/`([^`]+)`/g)].map(match => match[1]!))
    expect(names.length).toBeGreaterThan(9)
    expect(names.filter(name => !values.test(name) && !reads(name.split('=', 1)[0]!))).toEqual([])
  }
})

test('the report says how each file was read, and what was not', () => {
  const found = Object.fromEntries(report.files.map(one => [one.file.split('/').at(-1), one.encoding]))
  expect(found).toEqual(Object.fromEntries(Object.entries(awkward).map(([name, { encoding }]) => [name, encoding])))
  expect(report.files.flatMap(one => one.unused_columns)).toEqual(['coordenadas'])
  expect(report.unknown).toMatchObject({ countries: [{ value: 'Federal Republic', count: 1 }] })
})

test.each<[id: string, expected: object]>([
  [
    'de1',
    {
      names: [{ value: 'Café König', primary: true }],
      coordinates: { latitude: 52.5163, longitude: 13.3777 },
      addresses: [{ streetAddress: 'Pariser Platz 4a', city: 'Berlin', postalCode: '10117', countryCode: 'DE' }],
      ownRatings: { overall: { rating: 4.5 } },
    },
  ],
  ['fr1', { names: [{ value: 'L’Étoile' }], geo: 'Paris', coordinates: { latitude: 48.8738 } }],
  ['it1', { names: [{ value: 'Bar Perù' }], geo: 'Milano', addresses: [{ countryCode: 'IT' }] }],
  ['es1', { names: [{ value: 'Prado' }], addresses: [{ countryCode: 'ES' }] }],
  ['at1', { coordinates: { latitude: 48.2166, longitude: 16.3958 }, addresses: [{ countryCode: 'AT' }] }],
  ['jp1', { names: [{ value: '東京タワー' }], addresses: [{ postalCode: '105-0011', countryCode: 'JP' }] }],
  ['cn1', { names: [{ value: '故宫' }], geo: '北京', addresses: [{ countryCode: 'CN' }] }],
  ['de2', { coordinates: { longitude: 8.68 }, addresses: [{ streetAddress: 'Zeil 106' }] }],
  [
    'ov1',
    {
      names: [{ value: 'Musée' }, { language: 'en', value: 'Museum' }],
      status: { value: 'TEMPORARILY_CLOSED' },
      categories: [{ id: 'museum' }],
      attributes: [{ name: 'Art gallery' }, { name: '0.90' }],
      attributions: [{ source: 'AllThePlaces', license: 'CC0-1.0' }],
      externalIds: [{ id: 'ov1' }, { source: 'alltheplaces', id: 'atp-1' }],
    },
  ],
  [
    'way/5',
    {
      coordinates: { latitude: 48.1, longitude: 11.5 },
      categories: [{ id: 'railway_station' }],
      addresses: [{ countryCode: 'DE' }],
    },
  ],
  ['node/9', { names: [{ value: 'Horn' }], categories: [{ id: 'natural_feature' }] }],
  ['fsq1', { status: { value: 'CLOSED', closedDate: '2024-02-29' }, attributes: [{ name: '2025-02-03' }] }],
])('%s is complete', (id, expected) => {
  expect(stored[id]).toMatchObject(expected)
})

test('swapped coordinates are rejected with the row if the country says so', async () => {
  const rows = file(
    'swapped.csv',
    'key,name,lat,lon,country\n1,Tokyo,35.68,139.69,JP\n2,Osaka,135.5,34.69,JP\n3,Madrid,-3.7,40.4,Spain\n4,At sea,0,-30,BR\n5,Nowhere,-3.7,40.4,\n',
  )
  const ran = await periplus(['import', '--data', fresh(), '--no-index', rows])
  expect(ran.stdout).toContain(
    'line 3: latitude_out_of_range: lat is 135.5, but must be between -90 and 90; latitude and longitude may be swapped.',
  )
  expect(ran.stdout).toContain(
    'line 4: coordinates_swapped: Latitude -3.7 and longitude 40.4 are not in ES, but would be if they were swapped.',
  )
  expect(ran.stdout).toMatch(/latitude_out_of_range +1\n +coordinates_swapped +1\n/)
})
