import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { composeImport } from '../../src/compose/import.ts'
import type { Rejection } from '../../src/domain/import.ts'
import { importInput } from '../../src/ingest/import.ts'
import { openInput } from '../../src/ingest/input.ts'
import { configFor, importRows, ndjson } from '../world.ts'
import { createWorkspace } from './formats.ts'

const workspace = createWorkspace()
afterAll(workspace.remove)

type Value = string | number | boolean
type Written = (values: readonly Value[]) => string

const rowsOf = (values: readonly Value[]) => values.map((deleted, i) => ({ source_id: `p${i}`, ...kept(i), deleted }))
const kept = (i: number) => ({ name: `Place ${i}`, lat: 1, lon: 2 })
const features = (values: readonly Value[]) =>
  rowsOf(values).map(({ source_id, lat, lon, ...properties }) => ({
    type: 'Feature',
    id: source_id,
    geometry: { type: 'Point', coordinates: [lon, lat] },
    properties,
  }))
const csv = (values: readonly Value[]) =>
  ['source_id,name,lat,lon,deleted', ...rowsOf(values).map(row => Object.values(row).join(','))].join('\n')

let files = 0
const formats: Record<string, Written> = {
  NDJSON: values => workspace.file(`${++files}.ndjson`, ndjson(rowsOf(values))),
  CSV: values => workspace.file(`${++files}.csv`, csv(values)),
  'CSV, gzipped': values => workspace.file(`${++files}.csv.gz`, gzipSync(csv(values))),
  GeoJSON: values => workspace.file(`${++files}.geojsonl`, ndjson(features(values))),
  Parquet: values => {
    const column = (name: 'source_id' | 'name' | 'lat' | 'lon' | 'deleted') => {
      const data = rowsOf(values).map(row => row[name])
      return { name, data: typeof data[0] === 'number' && name !== 'deleted' ? data.map(Number) : data }
    }
    return workspace.parquet(`${++files}.parquet`, {
      columnData: (['source_id', 'name', 'lat', 'lon', 'deleted'] as const).map(column) as never,
    })
  },
}

/** Imports a file over existing places. Returns the report and the rejections. */
async function importOver(path: string, count: number) {
  const config = configFor(workspace.fresh())
  const before = Array.from({ length: count }, (_, i) => ({ source: 's', source_id: `p${i}`, ...kept(i) }))
  await importRows(config, 'location', before)
  const importing = await composeImport(config, { dryRun: false })
  const rejections: Rejection[] = []
  try {
    const report = await importInput(
      openInput(path, process.stdin),
      importing.writer,
      { force: true, defaultSource: 's', defaultStatus: 'OPEN' },
      { rejected: (_line, _text, rejection) => rejections.push(rejection) },
      importing.clock,
    )
    return { report, rejections }
  } finally {
    await importing.close()
  }
}

/** Test values by type; each set has one type because a Parquet column has one. */
const truths: Record<string, [yes: Value[], no: Value[], wrong: Value[]]> = {
  texts: [
    ['true', 'TRUE', ' t ', 'yes', 'Y', '1'],
    ['false', 'f', 'No', 'n', '0', ' '],
    ['maybe', 'deleted', '2', '2026-01-01'],
  ],
  numbers: [[1], [0], [2, -1]],
  booleans: [[true], [false], []],
}

describe.each(Object.entries(formats))('deleted in %s (rulings: Import format)', (_format, written) => {
  test.each(Object.entries(truths))('%s', async (_type, [yes, no, wrong]) => {
    const values = [...yes, ...no, ...wrong]
    const { report, rejections } = await importOver(written(values), values.length)
    expect(report).toMatchObject({ removed: yes.length, unchanged: no.length, rejected: wrong.length })
    expect(rejections).toEqual(
      wrong.map(() => ({
        reason: 'invalid_value',
        field: 'deleted',
        detail: expect.stringContaining('true or false'),
      })),
    )
  })
})
