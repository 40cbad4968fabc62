import { describe, expect, it } from 'vitest'
import { toPoint } from './geometry.ts'

const square = (x: number, y: number, side: number) => [
  [x, y],
  [x + side, y],
  [x + side, y + side],
  [x, y + side],
  [x, y],
]

describe('the point of a geometry', () => {
  const rows: [name: string, geometry: unknown, expected: [number, number] | undefined][] = [
    ['a point', { type: 'Point', coordinates: [-3.7, 40.4] }, [-3.7, 40.4]],
    ['a point with a height', { type: 'Point', coordinates: [-3.7, 40.4, 650] }, [-3.7, 40.4]],
    ['one point of many', { type: 'MultiPoint', coordinates: [[1, 2]] }, [1, 2]],
    ['a square', { type: 'Polygon', coordinates: [square(0, 0, 2)] }, [1, 1]],
    ['whichever way round', { type: 'Polygon', coordinates: [square(0, 0, 2).toReversed()] }, [1, 1]],
    [
      'a square with a hole in its corner',
      { type: 'Polygon', coordinates: [square(0, 0, 2), square(1, 1, 1)] },
      [2.5 / 3, 2.5 / 3],
    ],
    [
      'two squares by their areas',
      { type: 'MultiPolygon', coordinates: [[square(0, 0, 2)], [square(10, 0, 1)]] },
      [2.9, 0.9],
    ],
    [
      'an area over the antimeridian',
      { type: 'MultiPolygon', coordinates: [[square(178, 0, 2)], [square(-180, 0, 2)]] },
      [180, 1],
    ],
    [
      'an area without extent',
      {
        type: 'Polygon',
        coordinates: [
          [
            [1, 2],
            [1, 2],
            [1, 2],
            [1, 2],
          ],
        ],
      },
      [1, 2],
    ],
    [
      'the middle of a line',
      {
        type: 'LineString',
        coordinates: [
          [0, 0],
          [1, 0],
          [4, 0],
        ],
      },
      [2, 0],
    ],
    [
      'several points',
      {
        type: 'MultiPoint',
        coordinates: [
          [1, 2],
          [3, 4],
        ],
      },
      undefined,
    ],
    [
      'several lines',
      {
        type: 'MultiLineString',
        coordinates: [
          [
            [0, 0],
            [1, 1],
          ],
        ],
      },
      undefined,
    ],
    ['a collection', { type: 'GeometryCollection', geometries: [] }, undefined],
    ['a point without coordinates', { type: 'Point' }, undefined],
    ['a point with words', { type: 'Point', coordinates: ['here', 'there'] }, undefined],
    ['a point of nothing', { type: 'Point', coordinates: [null, null] }, undefined],
    ['a point of empty texts', { type: 'Point', coordinates: ['', ' '] }, undefined],
    ['an empty polygon', { type: 'Polygon', coordinates: [] }, undefined],
    ['a polygon of nonsense', { type: 'Polygon', coordinates: [[1, 2]] }, undefined],
    ['nothing', null, undefined],
    ['text', 'POINT(1 2)', undefined],
  ]
  it.each(rows)('%s', (_name, geometry, expected) => {
    const point = toPoint(geometry)
    if (expected === undefined) expect(point).toBeUndefined()
    else {
      expect(point![0]).toBeCloseTo(expected[0], 9)
      expect(point![1]).toBeCloseTo(expected[1], 9)
    }
  })
})
