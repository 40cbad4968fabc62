import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parquetWriteFile } from 'hyparquet-writer'

type Fields = Readonly<Record<string, unknown>>

/**
 * Writes the places of an NDJSON file as CSV, GeoJSON and Parquet into `folder`, and returns the paths of all four
 * files.
 */
export function otherFormatsOf(file: string, folder: string): string[] {
  const bytes = readFileSync(file)
  const rows = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes)
    .toString()
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as Fields)
  const path = (extension: string) => join(folder, `${basename(file).split('.')[0]}.${extension}`)
  const columns = [...new Set(rows.flatMap(row => Object.keys(row)))]
  writeFileSync(path('csv'), `${[columns.join(','), ...rows.map(row => csvLine(row, columns))].join('\n')}\n`)
  writeFileSync(
    path('geojson'),
    `{"type":"FeatureCollection","features":[\n${rows.map(row => JSON.stringify(featureOf(row))).join(',\n')}\n]}`,
  )
  parquetWriteFile({ filename: path('parquet'), columnData: columns.map(name => columnOf(rows, name)) })
  return [file, path('csv'), path('geojson'), path('parquet')]
}

const csvLine = (row: Fields, columns: readonly string[]): string =>
  columns
    .map(name => {
      const value = row[name]
      const text = typeof value === 'object' ? JSON.stringify(value) : String(value ?? '')
      return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
    })
    .join(',')

const featureOf = ({ lat, lon, source_id, ...properties }: Fields): object => ({
  type: 'Feature',
  id: source_id,
  geometry: { type: 'Point', coordinates: [lon, lat] },
  properties,
})

function columnOf(rows: readonly Fields[], name: string) {
  const values = rows.map(row => row[name] ?? null)
  const kinds = new Set(values.filter(value => value !== null).map(value => typeof value))
  const type = kinds.has('object') ? 'JSON' : kinds.size === 1 && kinds.has('number') ? 'DOUBLE' : 'STRING'
  return { name, type, data: type === 'STRING' ? values.map(value => value && String(value)) : values } as const
}
