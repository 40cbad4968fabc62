import { createReadStream, statSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { ImportInput } from '../domain/import.ts'
import { peek, startsWith } from './formats/peek.ts'

/** Error of an input that cannot be read, with a user-facing message. */
export class UnreadableInput extends Error {}

/** The first bytes of a gzip file. */
export const gzipMagic = [0x1f, 0x8b]

/** Opens `path`; `-` is `stdin`. Gzip is detected by its first bytes, not by the name. Throws UnreadableInput. */
export function openInput(path: string, stdin: Readable): ImportInput {
  if (path === '-') return streamInput('standard input', () => stdin)
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats) throw new UnreadableInput(`File ${path} does not exist.`)
  if (stats.isDirectory()) throw new UnreadableInput(`${path} is a folder. Pass the files in it instead.`)
  return streamInput(path, () => createReadStream(path, { highWaterMark: 256 * 1024 }), path, stats.size)
}

function streamInput(name: string, open: () => Readable, path?: string, totalBytes?: number): ImportInput {
  let read = 0
  async function* countedChunks(): AsyncGenerator<Buffer> {
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
    addReadBytes: bytes => {
      read += bytes
    },
    chunks: () => decompress(countedChunks(), name),
  }
}

async function* decompress(compressed: AsyncIterable<Buffer>, name: string): AsyncGenerator<Buffer> {
  const { head, chunks } = await peek(compressed, gzipMagic.length)
  if (!startsWith(head, gzipMagic)) {
    yield* chunks
    return
  }
  const gunzip = createGunzip({ chunkSize: 256 * 1024 })
  const writing = writeAll(chunks, gunzip)
  try {
    for await (const chunk of gunzip) yield chunk as Buffer
    await writing
  } catch (error) {
    throw new UnreadableInput(
      `${name} is incomplete or damaged: its gzip data cannot be decompressed (${(error as Error).message}).`,
    )
  }
}

async function writeAll(chunks: AsyncIterable<Buffer>, gunzip: ReturnType<typeof createGunzip>): Promise<void> {
  try {
    for await (const chunk of chunks) {
      if (!gunzip.write(chunk)) await new Promise(resolve => gunzip.once('drain', resolve))
    }
    gunzip.end()
  } catch (error) {
    gunzip.destroy(error as Error)
  }
}
