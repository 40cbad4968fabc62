import type { FieldMapping, ImportFormat, ImportInput } from '../../domain/import.ts'
import type { RecordKind } from '../../domain/record-write.ts'
import { foursquare } from '../mapping/foursquare.ts'
import { createFeatureMapping, createRecordMapping } from '../mapping/json-mapping.ts'
import { createKnownTableMapping } from '../mapping/known-table.ts'
import type { Mapping } from '../mapping/mapping.ts'
import { overture } from '../mapping/overture.ts'
import { createTableMapping } from '../mapping/table-mapping.ts'
import type { Row } from '../row.ts'
import { readCsv } from './csv.ts'
import { readDialect } from './csv-dialect.ts'
import type { Encoding } from './encoding.ts'
import { checkCrs, readCollection, readFeatureLines } from './geojson.ts'
import { readNdjson, recordSeparator } from './ndjson.ts'
import { type DecodedInput, openDecoded } from './open-text.ts'
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
}

/** An opened input. */
export interface InputTable {
  readonly format: ImportFormat
  /** Unit of row numbers. */
  readonly unit: 'line' | 'feature' | 'row'
  readonly mapping: Mapping
  readonly rows: AsyncIterable<Row>
  close(): Promise<unknown>
  /** Returns the encoding of the text, as far as it was read; undefined for a binary format. */
  encoding(): Encoding | undefined
}

/** Opens an input and detects its format from the first bytes. Throws UnreadableInput and UnclearInput. */
export async function openTable(input: ImportInput, options: TableOptions): Promise<InputTable> {
  const decoded = await openDecoded(input, options.format)
  const { format, chunks, close, encoding } = decoded
  if (format === 'parquet') return openParquetTable(input, decoded, options)
  if (format === 'csv') return openCsv(decoded, options)
  if (format === 'geojson') return openGeojson(input, decoded, options)
  const mapping = createRecordMapping(options.fields)
  return { format, unit: 'line', mapping, rows: readNdjson(chunks), close, encoding }
}

function openGeojson(
  { name }: ImportInput,
  { head, chunks, close, encoding }: DecodedInput,
  { fields }: TableOptions,
): InputTable {
  const start = decodeHead(head).trimStart()
  const separated = start.charCodeAt(0) === recordSeparator
  const collection = !separated && isCollection(start)
  if (collection) checkCrs(name, start)
  const rows = collection ? readCollection(chunks, name) : readFeatureLines(chunks, separated)
  return {
    format: 'geojson',
    unit: collection || separated ? 'feature' : 'line',
    mapping: createFeatureMapping(fields),
    rows,
    close,
    encoding,
  }
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
