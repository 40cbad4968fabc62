import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { NodePoints } from '../../src/ingest/formats/osm/node-points.ts'
import { PbfBlock } from '../../src/ingest/formats/osm/pbf-elements.ts'
import { createWorkspace, storedPlaces } from './formats.ts'
import { osmPbf } from './osm-pbf.ts'

const workspace = createWorkspace()
afterAll(workspace.remove)
const { file, fresh, run, tables } = workspace

const hotel = {
  tourism: 'hotel',
  name: 'Hotel Adler',
  'name:en': 'Eagle Hotel',
  old_name: 'Krone; Post',
  stars: '4S',
  rooms: '40',
  'addr:street': 'Hauptstraße',
  'addr:housenumber': '12a',
  'addr:postcode': '10117',
  'addr:city': 'Berlin',
  'addr:country': 'DE',
  'contact:phone': '+49 1; +49 2',
  'contact:instagram': '@adler',
  wheelchair: 'limited',
  internet_access: 'wlan',
  image: 'https://pictures.example/adler.jpg',
  wikimedia_commons: 'File:Adler.jpg',
  wikidata: 'Q1',
  roof: 'red',
}
const bistro = {
  'disused:amenity': 'restaurant',
  name: 'Le Passé',
  cuisine: 'french;burger',
  'diet:vegan': 'only',
  outdoor_seating: 'yes',
  end_date: '2019-05-01',
}
const park = { leisure: 'park', name: 'Park' }
const castle = { historic: 'castle', name: 'Castle', type: 'multipolygon' }
const square = [
  [1, 1],
  [3, 1],
  [3, 3],
  [1, 3],
] as const
const corners = square.map(([lon, lat], i) => ({ id: 100 + i, lon, lat }))
const outline = [100, 101, 102, 103, 100]

/** The same elements in each format: two nodes, an area by its nodes, an area of a relation, a bench and a street. */
const formats: Readonly<Record<string, string | Buffer>> = {
  'places.osm.pbf': osmPbf({
    nodes: [
      { id: 1, lon: 13.4, lat: 52.5, tags: hotel },
      { id: 2, lon: 2.3, lat: 48.8, tags: bistro },
      { id: 3, lon: 2, lat: 48, tags: { amenity: 'bench' } },
      ...corners,
    ],
    ways: [
      { id: 10, refs: outline, tags: park },
      { id: 11, refs: [100, 101], tags: { highway: 'residential', name: 'Street' } },
      { id: 12, refs: outline, tags: {} },
    ],
    relations: [{ id: 20, ways: [12], tags: castle }],
  }),
  'overpass.json': JSON.stringify({
    version: 0.6,
    generator: 'Overpass API',
    osm3s: { copyright: 'ODbL' },
    elements: [
      { type: 'node', id: 1, lon: 13.4, lat: 52.5, tags: hotel },
      { type: 'node', id: 2, lon: 2.3, lat: 48.8, tags: bistro },
      { type: 'node', id: 3, lon: 2, lat: 48, tags: { amenity: 'bench' } },
      { type: 'way', id: 10, nodes: outline, tags: park },
      { type: 'way', id: 11, nodes: [100, 101], tags: { highway: 'residential', name: 'Street' } },
      { type: 'relation', id: 20, center: { lat: 2, lon: 2 }, tags: castle },
      ...corners.map(one => ({ type: 'node', ...one })),
    ],
  }),
  'overpass.geojson': JSON.stringify({
    type: 'FeatureCollection',
    features: [
      ['node/1', hotel, { type: 'Point', coordinates: [13.4, 52.5] }],
      ['node/2', bistro, { type: 'Point', coordinates: [2.3, 48.8] }],
      ['node/3', { amenity: 'bench' }, { type: 'Point', coordinates: [2, 48] }],
      ['way/11', { highway: 'residential', name: 'Street' }, { type: 'Point', coordinates: [2, 48] }],
      ['way/10', park, { type: 'Polygon', coordinates: [[...square, square[0]]] }],
      ['relation/20', castle, { type: 'MultiPolygon', coordinates: [[[...square, square[0]]]] }],
    ].map(([id, tags, geometry]) => ({
      type: 'Feature',
      id,
      properties: { '@id': id, ...(tags as object) },
      geometry,
    })),
  }),
}

describe('OpenStreetMap (R-162)', () => {
  test.each(Object.entries(formats))(
    '%s: places with their tags, and CLOSED for what is past',
    async (name, content) => {
      const data = fresh()
      const ran = await run(data, file(name, content))
      expect(ran.json(), ran.stderr).toMatchObject({ added: 4, rejected: 0, notes: { country_from_coordinates: 1 } })
      expect(ran.json<{ files: object[] }>().files[0]).toMatchObject({
        source: 'osm',
        unused_columns: ['roof'],
        skipped: 2,
      })
      const stored = storedPlaces(tables(data))
      expect(stored['node/1']).toMatchObject({
        names: [{ value: 'Hotel Adler' }, { language: 'en', value: 'Eagle Hotel' }],
        alternateNames: ['Krone', 'Post'],
        coordinates: { latitude: 52.5, longitude: 13.4 },
        categories: [{ id: 'hotel', topLevelCategory: 'HOTEL' }],
        accommodation: { starRating: 4, roomCount: 40 },
        addresses: [{ streetAddress: 'Hauptstraße 12a', city: 'Berlin', postalCode: '10117', countryCode: 'DE' }],
        phoneNumbers: [{ value: '+49 1' }, { value: '+49 2' }],
        attributes: [
          { id: 'wheelchair.limited', name: 'Partly wheelchair accessible' },
          { id: 'internet_access.wlan', name: 'Wi-Fi' },
          { id: 'stars.4s', name: '4S' },
        ],
        externalIds: expect.arrayContaining([
          { source: 'wikidata', id: 'Q1' },
          { source: 'wikimedia_commons', id: 'File:Adler.jpg' },
          { source: 'image', id: 'https://pictures.example/adler.jpg' },
          { source: 'instagram', id: 'adler' },
        ]),
        attributions: [
          { source: 'OpenStreetMap contributors', license: 'ODbL-1.0', url: 'https://www.openstreetmap.org/node/1' },
        ],
      })
      expect(stored['node/2']).toMatchObject({
        status: { value: 'CLOSED', closedDate: '2019-05-01' },
        categories: [{ id: 'restaurant' }],
        addresses: [{ countryCode: 'FR' }],
        attributes: [
          { id: 'cuisine.french' },
          { id: 'cuisine.burger' },
          { id: 'outdoor_seating.yes', name: 'Outdoor seating' },
          { id: 'diet.vegan', name: 'Vegan' },
        ],
      })
      expect(stored['way/10']).toMatchObject({
        coordinates: { latitude: 2, longitude: 2 },
        categories: [{ id: 'park' }],
      })
      expect(stored['relation/20']).toMatchObject({
        coordinates: { latitude: 2, longitude: 2 },
        categories: [{ id: 'castle', topLevelCategory: 'ATTRACTION' }],
      })
    },
  )

  test('tags of the names @id and @geometry, and values that are no text, change no other place', async () => {
    const tags = { amenity: 'cafe', name: 'Cafe', '@id': 'node/999', '@geometry': 'x', __proto__: 'x' }
    const odd = { amenity: 'bar', name: 'Bar', opening_hours: [1], cuisine: null, stars: 4, phone: {}, website: [] }
    const elements = [
      { type: 'node', id: 1, lon: 1, lat: 2, tags },
      { type: 'node', id: 2, lon: 1, lat: 2, tags: odd },
      { type: 'way', id: {}, nodes: ['a', null], tags: [1] },
    ]
    const features = [
      { type: 'Feature', id: 'node/3', properties: odd, geometry: { type: 'Point', coordinates: [1, 2] } },
    ]
    const data = fresh()
    const ran = await run(
      data,
      file('tags.osm.pbf', osmPbf({ nodes: [{ id: 4, lon: 1, lat: 2, tags }] })),
      file('tags.json', JSON.stringify({ elements })),
      file('tags.geojson', JSON.stringify({ type: 'FeatureCollection', features })),
    )
    expect(ran.json(), ran.stderr).toMatchObject({ added: 4, rejected: 0 })
    expect(Object.keys(storedPlaces(tables(data))).sort()).toEqual(['node/1', 'node/2', 'node/3', 'node/4'])
  })

  const pbf = formats['places.osm.pbf'] as Buffer
  test.each<[name: string, content: string | Buffer, code: number, says: string]>([
    ['cut.osm.pbf', pbf.subarray(0, -10), 1, 'the file is truncated'],
    ['gzipped.osm.pbf', gzipSync(pbf), 1, 'compressed again'],
    [
      'new-node.osm.pbf',
      osmPbf({ nodes: [{ id: -5, lon: 1, lat: 2, tags: park }] }),
      1,
      'has elements with negative ids',
    ],
    [
      'new-way.osm.pbf',
      osmPbf({ nodes: [], ways: [{ id: -5, refs: outline, tags: park }] }),
      1,
      "run 'osmium renumber ",
    ],
    [
      'stopped.json',
      '{"version":0.6,"elements":[],"remark":"runtime error: Query timed out"}',
      1,
      'Overpass has stopped with "runtime error: Query timed out"',
    ],
    ['cut.json', '{"version":0.6,"elements":[{"type":"node"', 1, 'is not valid Overpass JSON at element 1'],
    ['map.osm', '<?xml version="1.0"?>\n<osm version="0.6"></osm>', 1, 'osmium cat'],
  ])('%s is refused with a sentence', async (name, content, code, says) => {
    const ran = await run(fresh(), file(name, content))
    expect([ran.code, ran.stderr], ran.stdout).toEqual([code, expect.stringContaining(says)])
    expect(ran.stderr).not.toMatch(/^\s+at /m)
  })

  test('a list of a block is bounded, and a point off the map is not kept', () => {
    // Two megabytes of empty texts, with their length in front.
    const texts = Buffer.concat([Buffer.from([0x0a, 0x82, 0x89, 0x7a]), Buffer.alloc(2_000_002, '\n\0')])
    expect(() => new PbfBlock(texts)).toThrow('a block has too many items')
    const points = new NodePoints()
    points.add([1, 2])
    points.seal()
    points.set(1, 400, 1)
    points.set(2, 180, -90)
    expect([points.get(1), points.get(2)]).toEqual([undefined, [180, -90]])
  })

  test('an area without its nodes is rejected, and damaged bytes never crash', async () => {
    const lost = osmPbf({ nodes: [{ id: 1, lon: 1, lat: 1 }], ways: [{ id: 10, refs: [7, 8, 9, 7], tags: park }] })
    const ran = await run(fresh(), file('lost.osm.pbf', lost), '--force')
    expect(ran.json(), ran.stderr).toMatchObject({ rejected: 1, reasons: { unsupported_geometry: 1 } })
    for (let at = 60; at < pbf.length; at += 97) {
      const bytes = Buffer.from(pbf)
      bytes[at] = bytes[at]! ^ 0xff
      const damaged = await run(fresh(), file(`damaged-${at}.osm.pbf`, bytes), '--dry-run')
      expect(damaged.stderr).not.toMatch(/^\s+at /m)
    }
  })
})
