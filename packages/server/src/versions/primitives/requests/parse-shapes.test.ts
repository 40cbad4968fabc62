import { describe, expect, test } from 'vitest'
import { parsePolygon } from './parse-polygon.ts'
import { parsePolyline } from './parse-polyline.ts'

const square = [[0, 0], [1, 0], [1, 1], [0, 1], [0, 0]] // biome-ignore format: one ring a line
const parse = (type: unknown, coordinates?: unknown) => parsePolygon(JSON.stringify({ type, coordinates }))

describe('polygons (R-152)', () => {
  test('with holes, several polygons, altitudes, and edges across the antimeridian', () => {
    expect(parse('Polygon', [square, square])).toHaveLength(1)
    expect(parse('MultiPolygon', [[square], [square]])).toHaveLength(2)
    expect(parse('Polygon', [square.map(position => [...position, 9])])).toEqual(parse('Polygon', [square]))
    expect(
      parse('Polygon', [
        [
          [170, 0],
          [-170, 0],
          [-170, 9],
          [170, 0],
        ],
      ]),
    ).toHaveLength(1)
  })

  test.each([
    ['not JSON', 'x', 'the text is not JSON'],
    ['a list', '[]', 'an object with type and coordinates'],
    ['null', 'null', 'an object with type and coordinates'],
    ['no type', '{}', 'an object with type and coordinates'],
    ['a feature', '{"type":"Feature","geometry":{}}', 'send the geometry alone'],
    ['a line', '{"type":"LineString","coordinates":[]}', 'not "LineString"'],
    ['no coordinates', '{"type":"Polygon"}', 'must be a list of rings'],
    ['no ring', '{"type":"Polygon","coordinates":[]}', 'has no ring'],
    ['no polygon', '{"type":"MultiPolygon","coordinates":[]}', 'has no polygon'],
    [
      'a ring of numbers',
      '{"type":"Polygon","coordinates":[[1,2]]}',
      'position 1 of ring 1 must be [longitude, latitude]',
    ],
    ['texts', '{"type":"Polygon","coordinates":[[["1","2"]]]}', 'two numbers'],
  ])('%s: a sentence', (_name, text, expected) => expect(parsePolygon(text)).toContain(expected))

  test.each([
    [
      'three positions',
      [
        [
          [0, 0],
          [1, 0],
          [0, 0],
        ],
      ],
      'at least four',
    ],
    ['not closed', [square, square.slice(0, 4)], 'repeat the first position of ring 2'],
    [
      'swapped',
      [
        [
          [40.4, -3.7],
          [35.6, 139.7],
          [41, -3],
          [40.4, -3.7],
        ],
      ],
      'GeoJSON has the longitude first',
    ],
    [
      'a latitude',
      [
        [
          [0, 0],
          [120, 95],
          [1, 1],
          [0, 0],
        ],
      ],
      'has the latitude 95 in position 2 of ring 1',
    ],
    [
      'a longitude',
      [
        [
          [0, 0],
          [190, 0],
          [1, 1],
          [0, 0],
        ],
      ],
      'has the longitude 190',
    ],
    [
      'around a pole',
      [
        [
          [0, 80],
          [120, 80],
          [-120, 80],
          [0, 80],
        ],
      ],
      'goes around a pole',
    ],
    ['501 positions', [Array.from({ length: 501 }, (_, i) => [i % 500 === 0 ? 0 : i / 9, 0])], 'at most 500'],
  ])('%s: a sentence', (_name, coordinates, expected) => expect(parse('Polygon', coordinates)).toContain(expected))
})

describe('encoded polylines (R-152)', () => {
  test('of both precisions', () => {
    const line = [[38.5, -120.2], [40.7, -120.95], [43.252, -126.453]] // biome-ignore format: one line
    const toPairs = (points: ReturnType<typeof parsePolyline>) =>
      typeof points === 'string' ? points : points.map(({ latitude, longitude }) => [latitude, longitude])
    expect(toPairs(parsePolyline('_p~iF~ps|U_ulLnnqC_mqNvxq`@', 5))).toEqual(line)
    expect(toPairs(parsePolyline('_izlhA~rlgdF_{geC~ywl@_kwzCn`{nI', 6))).toEqual(line)
  })

  test.each([
    ['one position', '_p~iF~ps|U', 'at least two'],
    ['an odd number', '_p~iF~ps|U_ulL', 'ends after a latitude'],
    ['a cut number', '_p~iF~ps|U_ulLnnq', 'in the middle of a number'],
    ['a space', '_p~iF ~ps|U', 'contains " "'],
    ['a number without end', '~~~~~~~~~~', 'more than 7 characters'],
    ['another precision', '_izlhA~rlgdF_{geC~ywl@_kwzCn`{nI', 'send route_precision=6'],
    ['2,001 positions', '?'.repeat(4002), 'at most 2000'],
    ['the opposite side', '???_gsia@', 'opposite side of the Earth'],
  ])('%s: a sentence', (_name, text, expected) => expect(parsePolyline(text, 5)).toContain(expected))
})
