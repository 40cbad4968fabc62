import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import type { FileEncoding, SnapshotFile, SnapshotPart } from '../../domain/feed.ts'
import type { Section } from './records.ts'

const readSize = 64 * 1024
const decompressors = {
  zstd: () => createZstdDecompress({ chunkSize: readSize }),
  gzip: () => createGunzip({ chunkSize: readSize }),
}

/** A part of a snapshot in the download queue; `path` resolves to its file when the download is complete. */
export interface QueuedPart<Part extends SnapshotPart = SnapshotFile> {
  readonly part: Part
  readonly path: Promise<string>
}

/**
 * Reads the parts of a snapshot and decompresses them. `consumed` receives the number of compressed bytes of each
 * chunk.
 */
export async function* readSections(
  parts: readonly QueuedPart[],
  consumed: (bytes: number) => void,
): AsyncGenerator<Section> {
  for (const { part, path } of parts)
    yield { name: part.name, chunks: decompress(await path, part.encoding, consumed), expected: part }
}

/** Reads a result file as one section. */
export async function* readSection(name: string, path: string, consumed: (bytes: number) => void) {
  yield { name, chunks: countBytes(createReadStream(path, { highWaterMark: readSize }), consumed) }
}

function decompress(path: string, encoding: FileEncoding, consumed: (bytes: number) => void): AsyncIterable<Buffer> {
  return pipeline(
    createReadStream(path, { highWaterMark: readSize }),
    (compressed: AsyncIterable<Buffer>) => countBytes(compressed, consumed),
    decompressors[encoding](),
    // The reader of the last stream handles the error.
    () => {},
  )
}

async function* countBytes(chunks: AsyncIterable<Buffer>, consumed: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    consumed(chunk.length)
    yield chunk
  }
}
