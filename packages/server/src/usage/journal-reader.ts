import { open, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import type { UsageRecord } from '../domain/usage.ts'
import { nextBatch } from './batch-frame.ts'
import { type JournalFile, listJournal } from './journal-files.ts'
import type { Position } from './position.ts'
import { decodeRecord } from './record.ts'

const decompress = promisify(zstdDecompress)

/** Records that were written together, and the position after them. */
export interface RecordBatch {
  readonly records: readonly UsageRecord[]
  readonly end: Position
  /** Bytes before this batch that are damaged. */
  readonly skippedBytes: number
}

/**
 * Reads whole batches from a position to the present end. May run beside the writer: a batch that is being written is
 * not whole yet, and its reading begins there the next time.
 */
export async function* readJournal(folder: string, from: Position): AsyncGenerator<RecordBatch> {
  // Listed before it is read, a file that has a successor is complete: the writer never goes back.
  const files = (await listJournal(folder)).filter(file => file.number >= from.file)
  for (const file of files) {
    const start = file.number === from.file ? from.offset : 0
    const buffer = await contentsOf(file, start)
    for (let batch = nextBatch(buffer, 0); batch; batch = nextBatch(buffer, batch.end)) {
      const end = { file: file.number, offset: start + batch.end }
      yield { records: recordsOf(batch.body), end, skippedBytes: batch.skipped }
    }
  }
}

/** What was written to a file, from a byte offset on; nothing when it has been dropped since it was listed. */
export async function contentsOf(file: JournalFile, offset = 0): Promise<Buffer> {
  try {
    return file.form === 'plain'
      ? await readFrom(file.path, offset)
      : (await decompress(await readFile(file.path))).subarray(offset)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    // Retention has put it into another form under our hands, or dropped it.
    const now = (await listJournal(dirname(file.path))).find(({ number }) => number === file.number)
    return now && now.path !== file.path ? contentsOf(now, offset) : Buffer.alloc(0)
  }
}

async function readFrom(path: string, offset: number): Promise<Buffer> {
  const handle = await open(path)
  try {
    const buffer = Buffer.allocUnsafe(Math.max(0, (await handle.stat()).size - offset))
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, offset)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** Forces the journal between two positions to disk. What is compressed already is there. */
export async function syncJournal(folder: string, from: Position, to: Position): Promise<void> {
  const files = (await listJournal(folder)).filter(({ number }) => number >= from.file && number <= to.file)
  for (const { path } of files.filter(({ form }) => form === 'plain')) {
    const handle = await open(path)
    await handle.datasync().finally(() => handle.close())
  }
}

/** The records in the lines of a batch. */
export const recordsOf = (body: Buffer): UsageRecord[] =>
  body.length === 0
    ? []
    : body
        .toString('utf8', 0, body.length - 1)
        .split('\n')
        .map(decodeRecord)
