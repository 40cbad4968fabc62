import { createReadStream, statSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

/** Where rows come from: a file, gzipped or not, or standard input. */
export interface Input {
  readonly name: string
  /** Bytes on disk; undefined for standard input. */
  readonly totalBytes: number | undefined
  /** Bytes of `totalBytes` taken so far. */
  readBytes(): number
  /** The content, decompressed. */
  chunks(): AsyncIterable<Buffer>
}

/** The file cannot be read. */
export class UnreadableInput extends Error {}

const gzipMagic = [0x1f, 0x8b]

/** Opens `path`; `-` is `stdin`. Gzip is told by its first bytes, not by the name. */
export function openInput(path: string, stdin: Readable): Input {
  if (path === '-') return streamInput('standard input', stdin, undefined)
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats) throw new UnreadableInput(`There is no file ${path}.`)
  if (stats.isDirectory()) throw new UnreadableInput(`${path} is a folder; name the files in it.`)
  return streamInput(path, createReadStream(path, { highWaterMark: 256 * 1024 }), stats.size)
}

function streamInput(name: string, stream: Readable, totalBytes: number | undefined): Input {
  let read = 0
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of stream) {
      read += (chunk as Buffer).length
      yield chunk as Buffer
    }
  }
  return { name, totalBytes, readBytes: () => read, chunks: () => decompressed(counted(), name) }
}

async function* decompressed(chunks: AsyncGenerator<Buffer>, name: string): AsyncGenerator<Buffer> {
  const first = await chunks.next()
  if (first.done) return
  const all = prepend(first.value, chunks)
  if (!gzipMagic.every((byte, i) => first.value[i] === byte)) {
    yield* all
    return
  }
  const gunzip = createGunzip({ chunkSize: 256 * 1024 })
  const feeding = feed(all, gunzip)
  try {
    for await (const chunk of gunzip) yield chunk as Buffer
    await feeding
  } catch (error) {
    throw new UnreadableInput(
      `${name} is not whole: its gzip data ends or breaks in the middle (${(error as Error).message}).`,
    )
  }
}

async function* prepend(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first
  yield* rest
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
