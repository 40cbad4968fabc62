import { createReadStream, statSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { peek, startsWith } from './formats/peek.ts'

/** Where rows come from: a file, gzipped or not, or standard input. */
export interface Input {
  readonly name: string
  /** The file, for formats that are read from their end; undefined for standard input. */
  readonly path: string | undefined
  /** Bytes on disk; undefined for standard input. */
  readonly totalBytes: number | undefined
  /** Bytes of `totalBytes` taken so far. */
  readBytes(): number
  /** Counts bytes that were taken from `path`, not from `chunks`. */
  took(bytes: number): void
  /** The content, decompressed; to be asked for once. */
  chunks(): AsyncIterable<Buffer>
}

/** The file cannot be read. */
export class UnreadableInput extends Error {}

/** The first bytes of gzip. */
export const gzipMagic = [0x1f, 0x8b]

/** Opens `path`; `-` is `stdin`. Gzip is told by its first bytes, not by the name. */
export function openInput(path: string, stdin: Readable): Input {
  if (path === '-') return streamInput('standard input', () => stdin)
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats) throw new UnreadableInput(`There is no file ${path}.`)
  if (stats.isDirectory()) throw new UnreadableInput(`${path} is a folder; name the files in it.`)
  return streamInput(path, () => createReadStream(path, { highWaterMark: 256 * 1024 }), path, stats.size)
}

function streamInput(name: string, open: () => Readable, path?: string, totalBytes?: number): Input {
  let read = 0
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of open()) {
      read += (chunk as Buffer).length
      yield chunk as Buffer
    }
  }
  return {
    name,
    path,
    totalBytes,
    readBytes: () => read,
    took: bytes => {
      read += bytes
    },
    chunks: () => decompressed(counted(), name),
  }
}

async function* decompressed(compressed: AsyncIterable<Buffer>, name: string): AsyncGenerator<Buffer> {
  const { head, chunks } = await peek(compressed, gzipMagic.length)
  if (!startsWith(head, gzipMagic)) {
    yield* chunks
    return
  }
  const gunzip = createGunzip({ chunkSize: 256 * 1024 })
  const feeding = feed(chunks, gunzip)
  try {
    for await (const chunk of gunzip) yield chunk as Buffer
    await feeding
  } catch (error) {
    throw new UnreadableInput(
      `${name} is not whole: its gzip data ends or breaks in the middle (${(error as Error).message}).`,
    )
  }
}

async function feed(chunks: AsyncIterable<Buffer>, gunzip: ReturnType<typeof createGunzip>): Promise<void> {
  try {
    for await (const chunk of chunks) {
      if (!gunzip.write(chunk)) await new Promise(resolve => gunzip.once('drain', resolve))
    }
    gunzip.end()
  } catch (error) {
    gunzip.destroy(error as Error)
  }
}
