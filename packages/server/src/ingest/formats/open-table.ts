import type { FieldMapping, ImportFormat, ImportInput, InputRows, RowUnit } from '../../domain/import.ts'
import type { RecordKind } from '../../domain/record-write.ts'
import { foursquare } from '../mapping/foursquare.ts'
import { createFeatureMapping, createRecordMapping } from '../mapping/json-mapping.ts'
import { createKnownFeatureMapping } from '../mapping/known-features.ts'
import { createKnownTableMapping } from '../mapping/known-table.ts'
import type { Mapping } from '../mapping/mapping.ts'
import { createOsmTable } from '../mapping/osm/osm.ts'
import { overture } from '../mapping/overture.ts'
import { createTableMapping } from '../mapping/table-mapping.ts'
import type { Row } from '../row.ts'
import { readCsv } from './csv.ts'
import { readDialect } from './csv-dialect.ts'
import type { Encoding } from './encoding.ts'
import { checkCrs, readCollection, readFeatureLines } from './geojson.ts'
import { readNdjson, recordSeparator } from './ndjson.ts'
import { type DecodedInput, openDecoded } from './open-text.ts'
import { ElementCount, placesOf } from './osm/element-row.ts'
import { readOverpass } from './osm/overpass.ts'
import { openPbf } from './osm/pbf.ts'
import { openParquet } from './parquet.ts'
import { decodeHead, isCollection } from './sniff.ts'

/** The operator's settings for an input; undefined settings are detected from the content. */
export interface TableOptions {
  readonly kind: RecordKind | undefined
  readonly format: ImportFormat | undefined
  /** Delimiter of CSV cells. */
  readonly delimiter: string | undefined
  /** Columns that the operator maps to fields. */
  readonly fields: readonly FieldMapping[]
  /** Calendar date of the import, in UTC. */
  readonly today: string
}

/** An opened input. */
export interface InputTable {
  readonly format: ImportFormat | 'rows'
  /** Unit of row numbers. */
  readonly unit: RowUnit
  readonly mapping: Mapping
  readonly rows: AsyncIterable<Row>
  close(): Promise<unknown>
  /** Returns the encoding of the text, as far as it was read; undefined for a binary format. */
  encoding(): Encoding | undefined
  /** Returns the number of elements of a map that are not places. */
  skipped?(): number
}

/** Opens an input and detects its format from the first bytes. Throws UnreadableInput and UnclearInput. */
export async function openTable(input: ImportInput, options: TableOptions): Promise<InputTable> {
  if (input.rows) return openRows(input.rows, options)
  const decoded = await openDecoded(input, options.format)
  const { format, chunks, close, encoding } = decoded
  if (format === 'parquet') return openParquetTable(input, decoded, options)
  if (format === 'csv') return openCsv(decoded, options)
  if (format === 'geojson') return openGeojson(input, decoded, options)
  if (format === 'osm-pbf' || format === 'overpass') return openOsm(input, decoded, options)
  const mapping = createRecordMapping(options.fields)
  return { format, unit: 'line', mapping, rows: readNdjson(chunks), close, encoding }
}

/** Opens rows without a file. A column `id` has ids of the source, unless the operator maps it to `id`. */
function openRows({ columns, rows }: InputRows, { kind, fields }: TableOptions): InputTable {
  const table = { format: 'rows', unit: 'row', rows, close: async () => {}, encoding: () => undefined } as const
  if (!columns) return { ...table, mapping: createRecordMapping(fields) }
  const hasKey =
    fields.some(({ field }) => field === 'id' || field === 'source_id') ||
    columns.some(({ name }) => name === 'source_id') ||
    !columns.some(({ name }) => name === 'id')
  const keyed = hasKey ? fields : [...fields, { field: 'source_id', from: 'id' }]
  return { ...table, mapping: createTableMapping(columns, keyed, kind) }
}

function openGeojson(
  { name }: ImportInput,
  { head, chunks, close, encoding }: DecodedInput,
  { fields, today }: TableOptions,
): InputTable {
  const start = decodeHead(head).trimStart()
  const separated = start.charCodeAt(0) === recordSeparator
  const collection = !separated && isCollection(start)
  if (collection) checkCrs(name, start)
  const features = collection ? readCollection(chunks, name) : readFeatureLines(chunks, separated)
  const unit = collection || separated ? 'feature' : 'line'
  const table = { format: 'geojson', unit, close, encoding } as const
  if (isOsm(start)) {
    const counts = new ElementCount()
    const mapping = createKnownFeatureMapping(createOsmTable(today), fields)
    return { ...table, mapping, rows: placesOf(features, counts), skipped: () => counts.skipped }
  }
  const mapping = isOverture(start) ? createKnownFeatureMapping(overture, fields) : createFeatureMapping(fields)
  return { ...table, mapping, rows: features }
}

function openCsv(
  { head, isComplete, chunks, close, encoding }: DecodedInput,
  { kind, delimiter, fields }: TableOptions,
): InputTable {
  const dialect = readDialect(
    head,
    isComplete,
    delimiter,
    fields.map(({ from }) => from),
  )
  const columns = dialect.columns.map((name, i) => ({ name, samples: dialect.samples.map(cells => cells[i]) }))
  // An empty file has no columns to check.
  const mapping = columns.length === 0 ? createRecordMapping([]) : createTableMapping(columns, fields, kind)
  return { format: 'csv', unit: 'line', mapping, rows: readCsv(chunks, dialect), close, encoding }
}

/** Returns true for features of OpenStreetMap, as its services export them. */
const isOsm = (start: string): boolean =>
  /"@id"\s*:\s*"(?:node|way|relation)\/\d|"Feature"\s*,\s*"id"\s*:\s*"(?:node|way|relation)\/\d/.test(start)

const isOverture = (start: string): boolean =>
  /"sources"\s*:\s*\[\s*\{\s*"property"/.test(start) && /"confidence"\s*:/.test(start)

async function openOsm(input: ImportInput, decoded: DecodedInput, options: TableOptions): Promise<InputTable> {
  const { format, chunks, close, encoding } = decoded
  const counts = new ElementCount()
  const mapping = createKnownFeatureMapping(createOsmTable(options.today), options.fields)
  const table = { format, unit: 'element' as const, mapping, encoding, skipped: () => counts.skipped }
  if (format === 'overpass') return { ...table, rows: readOverpass(chunks, input.name, counts), close }
  await close()
  return { ...table, ...(await openPbf(input, counts)), encoding: () => undefined }
}

async function openParquetTable(
  input: ImportInput,
  peeked: DecodedInput,
  { kind, fields }: TableOptions,
): Promise<InputTable> {
  await peeked.close()
  const file = await openParquet(input)
  try {
    const known = [overture, foursquare].find(table => table.matches(file.names))
    const mapping = known
      ? createKnownTableMapping(known, file.names, fields)
      : createTableMapping(await file.columns(), fields, kind)
    const rows = file.rows(mapping.columns ?? file.names)
    return { format: 'parquet', unit: 'row', mapping, rows, close: () => file.close(), encoding: () => undefined }
  } catch (error) {
    await file.close()
    throw error
  }
}
