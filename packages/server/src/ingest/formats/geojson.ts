import { UnreadableInput } from '../input.ts'
import type { Row } from '../row.ts'
import { maxElementBytes, readJsonList } from './json-list.ts'
import { readNdjson, recordSeparator } from './ndjson.ts'

/** Reads GeoJSON texts, one per line or each after a record separator (RFC 8142). */
export const readFeatureLines = (chunks: AsyncIterable<Buffer>, separated: boolean): AsyncGenerator<Row> =>
  readNdjson(chunks, { maxBytes: maxElementBytes, ...(separated && { separator: recordSeparator }) })

/** Matches reference systems in degrees that agree with WGS 84 to within about a metre. */
const degreesCrs = /(CRS8[34]h?|EPSG:[\d.]*:?(4326|4979|4258|4269))$/i

/**
 * Throws UnreadableInput if a collection declares coordinates other than degrees, because they would be stored at a
 * wrong place. RFC 7946 has no `crs`, but older files declare one before their features.
 */
export function checkCrs(name: string, head: string): void {
  const [before = ''] = head.split('"features"', 1)
  const crs = /"crs"\s*:\s*\{[^}]*"name"\s*:\s*"([^"]+)"/.exec(before)?.[1]
  if (crs === undefined || degreesCrs.test(crs)) return
  throw new UnreadableInput(
    `${name} has coordinates in ${crs}, but longitude and latitude (WGS 84) are required. Convert it first, for example with ogr2ogr -t_srs EPSG:4326.`,
  )
}

/**
 * Reads the features of a FeatureCollection of any size as a stream; rows are numbered by feature. Throws
 * UnreadableInput at invalid JSON, after yielding the features before it.
 */
export const readCollection = (chunks: AsyncIterable<Buffer>, name: string): AsyncGenerator<Row> =>
  readJsonList(chunks, { name, list: 'features', format: 'GeoJSON' })
