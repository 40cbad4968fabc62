import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import type { FileEncoding, SnapshotFile } from '../../domain/feed.ts'
import type { Section } from './records.ts'

const readSize = 64 * 1024
const unpackers = {
  zstd: () => createZstdDecompress({ chunkSize: readSize }),
  gzip: () => createGunzip({ chunkSize: readSize }),
}

/** A part of a snapshot, and where it lies once it has arrived. */
export interface ArrivingPart {
  readonly part: SnapshotFile
  readonly path: Promise<string>
}

/** The parts of a snapshot, unpacked while they are read. `consumed` is told of packed bytes. */
export async function* sectionsOf(
  parts: readonly ArrivingPart[],
  consumed: (bytes: number) => void,
): AsyncGenerator<Section> {
  for (const { part, path } of parts)
    yield { name: part.name, chunks: unpacked(await path, part.encoding, consumed), expected: part }
}

/** A file of lines of our own. */
export async function* sectionOf(name: string, path: string, consumed: (bytes: number) => void) {
  yield { name, chunks: counted(createReadStream(path, { highWaterMark: readSize }), consumed) }
}

function unpacked(path: string, encoding: FileEncoding, consumed: (bytes: number) => void): AsyncIterable<Buffer> {
  return pipeline(
    createReadStream(path, { highWaterMark: readSize }),
    (packed: AsyncIterable<Buffer>) => counted(packed, consumed),
    unpackers[encoding](),
    // Whoever reads the last of these streams sees the error.
    () => {},
  )
}

async function* counted(chunks: AsyncIterable<Buffer>, consumed: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    consumed(chunk.length)
    yield chunk
  }
}
