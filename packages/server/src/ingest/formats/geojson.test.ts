import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Row } from '../row.ts'
import { checkCrs, readCollection, readFeatureLines } from './geojson.ts'

async function* chunksOf(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function gather(rows: AsyncIterable<Row>): Promise<Row[]> {
  const found: Row[] = []
  for await (const row of rows) found.push(row)
  return found
}

const collection = (text: string, size = 7) => gather(readCollection(chunksOf(Buffer.from(text), size), 'file'))
const feature = (id: unknown, properties: object = {}) => ({
  type: 'Feature',
  id,
  geometry: { type: 'Point', coordinates: [1, 2] },
  properties,
})

describe('a FeatureCollection', () => {
  it('yields its features in order and ignores other members', async () => {
    const text = JSON.stringify(
      {
        name: 'x',
        crs: { features: [1, { a: [] }] },
        features: [feature(1), feature('b', { nested: { features: [feature(9)] } })],
        type: 'FeatureCollection',
        bbox: [1, 2, 3, 4],
      },
      null,
      1,
    )
    const rows = await collection(text)
    expect(rows.map(row => [row.line, row.record?.id])).toEqual([
      [1, 1],
      [2, 'b'],
    ])
    expect(JSON.parse(rows[1]!.text())).toEqual(feature('b', { nested: { features: [feature(9)] } }))
  })

  it('keeps every digit of long ids', async () => {
    const [row] = await collection('{"features":[{"type":"Feature","id":9223372036854775807}]}')
    expect(row!.record!.id).toBe('9223372036854775807')
  })

  it('only members of the list that are not objects are rejected', async () => {
    const rows = await collection(`{"features":[1,null,[2,{}],${JSON.stringify(feature(4))},"x"]}`)
    expect(rows.map(row => row.rejection?.reason ?? row.record!.id)).toEqual([
      'not_an_object',
      'not_an_object',
      'not_an_object',
      4,
      'not_an_object',
    ])
  })

  it('a feature over 16 MB is rejected', async () => {
    const features = [feature(1), feature(2, { x: Array.from({ length: 2_000_000 }, () => 'abcdef') }), feature(3)]
    const rows = await collection(JSON.stringify({ features }), 1 << 18)
    expect(rows.map(row => row.rejection?.reason ?? row.record!.id)).toEqual([1, 'line_too_long', 3])
  })

  it('a feature that is too deep is rejected', async () => {
    const deep = `{"a":[${'{"a":['.repeat(50_000)}${']}'.repeat(50_000)}]}`
    const rows = await collection(`{"features":[${JSON.stringify(feature(1))},${deep},${JSON.stringify(feature(3))}]}`)
    expect(rows.map(row => row.rejection?.reason ?? row.record!.id)).toEqual([1, 'invalid_json', 3])
    expect(rows[1]!.text()).toBe('""')
  })

  it.each([
    ['cut off within a feature', JSON.stringify({ features: [feature(1), feature(2)] }).slice(0, -20), 'at feature 2'],
    ['cut off between features', '{"features":[{"id":1},', 'at feature 1'],
    ['no JSON', '{"features":[{"id":1},nonsense', 'at feature 1'],
    ['no list', '{"type":"FeatureCollection"}', 'no list "features"'],
  ])('%s: a sentence that says where', async (_name, text, says) => {
    await expect(collection(text)).rejects.toThrow(says)
  })

  it.each([
    ['urn:ogc:def:crs:EPSG::25830', true],
    ['EPSG:3857', true],
    ['urn:ogc:def:crs:OGC:1.3:CRS84', false],
    ['urn:ogc:def:crs:EPSG::4326', false],
    ['EPSG:4258', false],
  ])('coordinates in %s: refused is %s', (crs, refused) => {
    const head = JSON.stringify({
      type: 'FeatureCollection',
      crs: { type: 'name', properties: { name: crs } },
      features: [],
    })
    const look = () => checkCrs('file', head)
    if (refused) expect(look).toThrow(`in ${crs}, but longitude and latitude`)
    else expect(look).not.toThrow()
  })

  it('a crs in the properties of a feature does not apply to the file', () => {
    expect(() => checkCrs('file', '{"features":[{"properties":{"crs":{"name":"EPSG:3857"}}}]}')).not.toThrow()
  })

  it('invalid UTF-8 is reported in a sentence', async () => {
    const bytes = Buffer.from('{"features":[{"id":"M\xfcnchen"}]}', 'latin1')
    await expect(gather(readCollection(chunksOf(bytes, 9), 'file'))).rejects.toThrow('at feature 1')
  })

  it('gives the result of JSON.parse for any split into chunks', async () => {
    const json = fc.object({ maxDepth: 3, values: [fc.string(), fc.integer(), fc.boolean(), fc.constant(null)] })
    await fc.assert(
      fc.asyncProperty(fc.array(json, { maxLength: 6 }), fc.integer({ min: 1, max: 50 }), async (features, size) => {
        const text = JSON.stringify({ type: 'FeatureCollection', features })
        const rows = await collection(text, size)
        expect(rows.map(row => row.record)).toEqual(JSON.parse(text).features)
      }),
      { numRuns: 200 },
    )
  })
})

describe('sequences of features', () => {
  const texts = [feature(1), feature(2)].map(one => JSON.stringify(one))
  it('one per line', async () => {
    const rows = await gather(readFeatureLines(chunksOf(Buffer.from(texts.join('\n')), 5), false))
    expect(rows.map(row => [row.line, row.record!.id])).toEqual([
      [1, 1],
      [2, 2],
    ])
  })

  it('after record separators (RFC 8142), over several lines', async () => {
    const pretty = texts.map(text => `\x1e${JSON.stringify(JSON.parse(text), null, 2)}\n`).join('')
    const rows = await gather(readFeatureLines(chunksOf(Buffer.from(pretty), 5), true))
    expect(rows.map(row => [row.line, row.record!.id])).toEqual([
      [1, 1],
      [2, 2],
    ])
  })
})
