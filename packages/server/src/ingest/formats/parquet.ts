import { type FileHandle, open } from 'node:fs/promises'
import { type AsyncBuffer, type FileMetaData, parquetMetadataAsync, parquetScan, parquetSchema } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import type { ImportInput } from '../../domain/import.ts'
import { stringifyLongJson } from '../../kit/long-json.ts'
import { gzipMagic, UnreadableInput } from '../input.ts'
import type { SourceColumn } from '../mapping/table-mapping.ts'
import type { Row } from '../row.ts'
import { geometryFromBytes, markGeometry } from './parquet-geometry.ts'
import { startsWith } from './peek.ts'

/** Maximum number of rows that are decoded at the same time. */
const slabRows = 65_536

/** Number of rows whose values are used to guess the field of a column. */
const sampleRows = 20

/** An open Parquet file. */
export interface ParquetFile {
  /** Names of the columns. */
  readonly names: readonly string[]
  /** Returns the columns with their first values; nested columns have no values. */
  columns(): Promise<SourceColumn[]>
  /** Reads all rows with the given columns. */
  rows(columns: readonly string[]): AsyncGenerator<Row>
  close(): Promise<void>
}

/** Opens a Parquet file. Throws UnreadableInput for standard input and for a file without a valid footer. */
export async function openParquet(input: ImportInput): Promise<ParquetFile> {
  if (input.path === undefined) {
    throw new UnreadableInput(
      'Parquet requires random access and cannot be read from standard input. Save it as a file first and import that.',
    )
  }
  const handle = await open(input.path)
  try {
    return await openHandle(handle, input)
  } catch (error) {
    await handle.close()
    throw error
  }
}

async function openHandle(handle: FileHandle, input: ImportInput): Promise<ParquetFile> {
  const file = toAsyncBuffer(handle, (await handle.stat()).size)
  if (startsWith(Buffer.from(await file.slice(0, 2)), gzipMagic)) {
    throw new UnreadableInput(`${input.name} is a gzipped Parquet file. Decompress it first.`)
  }
  const metadata = await readChecked(input.name, async () => parquetMetadataAsync(file))
  markGeometry(metadata)
  const { children } = parquetSchema(metadata)
  const reading = { file, metadata, compressors, parsers: { geometryFromBytes, geographyFromBytes: geometryFromBytes } }
  return {
    names: children.map(child => child.element.name),
    columns: async () => {
      const flat = children.filter(child => child.children.length === 0).map(child => child.element.name)
      const rows = Math.min(Number(metadata.num_rows), sampleRows)
      const samples = await readChecked(input.name, () => readSlab(reading, flat, 0, rows))
      return children.map(({ element: { name } }) => ({
        name,
        samples: Array.from(samples.get(name) ?? [], toJsonValue),
      }))
    },
    rows: columns => readRows(input, reading, columns),
    close: () => handle.close(),
  }
}

type Reading = Omit<Parameters<typeof parquetScan>[0], 'columns'> & { metadata: FileMetaData }

/** Returns the column values of the rows from `rowStart` up to `rowEnd`, which must be in one row group. */
async function readSlab(reading: Reading, columns: readonly string[], rowStart: number, rowEnd: number) {
  const scan = await parquetScan({ ...reading, columns: [...columns], rowStart, rowEnd })
  const values = new Map<string, ArrayLike<unknown>>()
  for (const column of columns) {
    const parts = await Promise.all(scan.ranges.map(range => scan.readColumn({ column, ...range })))
    values.set(column, parts.length === 1 ? parts[0]! : parts.flatMap(part => Array.from(part)))
  }
  return values
}

async function* readRows(input: ImportInput, reading: Reading, columns: readonly string[]): AsyncGenerator<Row> {
  const bytesPerRow = reading.file.byteLength / Math.max(Number(reading.metadata.num_rows), 1)
  let groupStart = 0
  for (const group of reading.metadata.row_groups) {
    const groupEnd = groupStart + Number(group.num_rows)
    for (let from = groupStart; from < groupEnd; from += slabRows) {
      const to = Math.min(from + slabRows, groupEnd)
      const values = [...(await readChecked(input.name, () => readSlab(reading, columns, from, to)))]
      for (let i = 0; i < to - from; i++) {
        input.addReadBytes(bytesPerRow)
        yield toRow(values, i, from + i + 1)
      }
    }
    groupStart = groupEnd
  }
}

function toRow(
  values: readonly (readonly [column: string, cells: ArrayLike<unknown>])[],
  i: number,
  line: number,
): Row {
  const record: Record<string, unknown> = {}
  for (let at = 0; at < values.length; at++) record[values[at]![0]] = toJsonValue(values[at]![1][i])
  return { line, text: () => stringifyLongJson(record), record }
}

/** Converts a value to JSON: a Date to a string, bytes to undefined. */
function toJsonValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString()
  return ArrayBuffer.isView(value) ? undefined : value
}

function toAsyncBuffer(handle: FileHandle, byteLength: number): AsyncBuffer {
  return {
    byteLength,
    slice: async (start, end = byteLength) => {
      const buffer = new ArrayBuffer(end - start)
      const { bytesRead } = await handle.read(new Uint8Array(buffer), 0, end - start, start)
      if (bytesRead < end - start) throw new Error('the file is truncated')
      return buffer
    },
  }
}

/** Converts errors of the library, which throws for damaged and truncated files, to UnreadableInput. */
async function readChecked<T>(name: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    throw new UnreadableInput(
      `${name} is incomplete, damaged, or not a supported Parquet file (${(error as Error).message}).`,
    )
  }
}
