import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import type { Manifest, SnapshotPart } from '../../domain/feed.ts'
import { ResultChecksum } from './checksum.ts'
import { Mismatch } from './outcome.ts'
import { getKeyKind, parseKey, type RecordKey } from './record-key.ts'

/** A part and the file that it was downloaded to. */
export interface DownloadedPart {
  readonly part: SnapshotPart
  readonly path: string
}

/**
 * Checks the rows of a table: their number, the order of their ids, and the checksum of the lines that they were made
 * from. Throws Mismatch. The bytes of the files have been checked.
 */
export async function checkTable(manifest: Manifest, parts: readonly DownloadedPart[]): Promise<void> {
  const kind = getKeyKind(manifest.feed)
  const checksum = new ResultChecksum()
  let last: RecordKey | undefined
  for (const { part, path } of parts) {
    const before = checksum.records
    for await (const { id, line_sha256 } of readRows(part, path)) {
      const key = parseKey(id, kind)
      if (key === undefined || typeof line_sha256 !== 'string') throw new Mismatch(`${part.name} has a row without id.`)
      if (last !== undefined && key <= last)
        throw new Mismatch(`${part.name} is not in ascending order of id: ${key} comes after ${last}.`)
      checksum.add(key, line_sha256)
      last = key
    }
    const records = checksum.records - before
    if (records !== part.records)
      throw new Mismatch(`${part.name} has ${records} rows, but its manifest lists ${part.records}.`)
  }
  const found = checksum.digest()
  const { snapshot_id, checksum_of_result, records_of_result } = manifest
  if (found !== checksum_of_result || checksum.records !== records_of_result)
    throw new Mismatch(
      `The table of ${snapshot_id} has ${checksum.records} records and the checksum ${found}, but ${records_of_result} and ${checksum_of_result} were expected.`,
    )
}

type Row = { readonly id?: unknown; readonly line_sha256?: unknown }

/** Reads the two columns that the check needs, a row group at a time. */
async function* readRows({ name }: SnapshotPart, path: string): AsyncGenerator<Row> {
  const file = await asyncBufferFromFile(path)
  try {
    const metadata = await parquetMetadataAsync(file)
    let rowStart = 0
    for (const { num_rows } of metadata.row_groups) {
      const rowEnd = rowStart + Number(num_rows)
      const columns = ['id', 'line_sha256']
      yield* (await parquetReadObjects({ file, metadata, compressors, columns, rowStart, rowEnd })) as Row[]
      rowStart = rowEnd
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== undefined) throw error
    throw new Mismatch(`${name} is not a Parquet file with the columns id and line_sha256.`)
  }
}
