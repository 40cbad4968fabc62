import { zstdCompressSync } from 'node:zlib'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { HashedFile } from '../hashed-file.ts'
import { type TableColumn, toFileSchema } from './table.ts'

/** Values of rows, a list for each column. */
export type ColumnValues = readonly unknown[][]

/** Writes a Parquet file in row groups, compressed with zstd. Memory is bounded by the largest row group. */
export class ParquetFile {
  readonly #columns: readonly TableColumn[]
  readonly #file: HashedFile
  readonly #bytes = new ByteWriter()
  readonly #writer: ParquetWriter

  constructor(path: string, columns: readonly TableColumn[], createdBy: string) {
    this.#columns = columns
    this.#file = new HashedFile(path)
    this.#writer = new ParquetWriter({
      writer: this.#bytes,
      schema: toFileSchema(columns),
      codec: 'ZSTD',
      compressors: { ZSTD: bytes => zstdCompressSync(bytes) },
      createdBy,
    })
  }

  /** Number of bytes written so far, without the metadata at the end. */
  get bytes(): number {
    return this.#file.bytes
  }

  /** Writes one row group. */
  writeGroup(values: ColumnValues): void {
    const rowGroupSize = values[0]!.length
    const columnData = this.#columns.map(({ name, hasStatistics }, i) => ({
      name,
      data: values[i]!,
      statistics: hasStatistics,
    }))
    this.#writer.write({ columnData, rowGroupSize })
    this.#flush()
  }

  /** Ends the file with its metadata, to which `metadata` is added, and syncs it to disk. */
  close(metadata: Readonly<Record<string, string>>): { readonly bytes: number; readonly sha256: string } {
    this.#writer.kvMetadata = Object.entries(metadata).map(([key, value]) => ({ key, value }))
    this.#writer.finish()
    this.#flush()
    return this.#file.close()
  }

  /** Stops writing and leaves the incomplete file in place. */
  abandon(): void {
    this.#file.abandon()
  }

  #flush(): void {
    this.#file.append(this.#bytes.getBytes())
    this.#bytes.index = 0
  }
}
