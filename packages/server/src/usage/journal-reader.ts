import { open, readFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { StoreError } from '../domain/store-errors.ts'
import type { UsageRecord } from '../domain/usage.ts'
import { findBatches } from './batch-frame.ts'
import { decodeRecords } from './journal-calls.ts'
import { type JournalFile, type JournalScan, listJournal, scanJournal } from './journal-files.ts'
import type { JournalPosition } from './journal-position.ts'

const decompress = promisify(zstdDecompress)

/** The files of the journal of one node: in its folder, and in the blobs (shipped-journal.ts). */
export interface JournalReader {
  /** Name of the journal in messages. */
  readonly name: string
  scan(): Promise<JournalScan>
  /** Returns the uncompressed contents of a file from a byte offset. Throws DamagedJournalFile. */
  read(file: JournalFile, offset?: number): Promise<Buffer>
  /** Flushes files that this machine writes to disk. */
  sync(numbers: { has(number: number): boolean }): Promise<void>
}

/** Returns the journal in a folder. */
export const journalIn = (folder: string): JournalReader => ({
  name: basename(folder),
  scan: () => scanJournal(folder),
  read: readContents,
  sync: numbers => syncJournal(folder, numbers),
})

/** Records that were written together. */
export interface RecordBatch {
  readonly records: readonly UsageRecord[]
  /** The position after the batch. */
  readonly end: JournalPosition
  /** Number of damaged bytes before the batch. */
  readonly skippedBytes: number
}

/**
 * Yields the complete batches from a position to the current end of the journal. Safe to call during writes: an
 * incomplete batch is left for the next call.
 */
export async function* readJournal(folder: string, from: JournalPosition): AsyncGenerator<RecordBatch> {
  // List first: a file that has a successor in the list is complete, because the writer never returns to it.
  const files = (await listJournal(folder)).filter(file => file.number >= from.file)
  for (const file of files) {
    const start = file.number === from.file ? from.offset : 0
    const buffer = await readContents(file, start)
    for (const batch of findBatches(buffer)) {
      const end = { file: file.number, offset: start + batch.end }
      yield { records: decodeRecords(batch), end, skippedBytes: batch.skipped }
    }
  }
}

/**
 * Returns the uncompressed contents of a file from a byte offset; empty if the file was dropped after it was listed.
 */
export async function readContents(file: JournalFile, offset = 0): Promise<Buffer> {
  try {
    return file.form === 'plain'
      ? await readFrom(file.path, offset)
      : (await decompressFile(file.path)).subarray(offset)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    // Retention has changed the form of the file or dropped it.
    const current = (await listJournal(dirname(file.path))).find(({ number }) => number === file.number)
    return current && current.path !== file.path ? readContents(current, offset) : Buffer.alloc(0)
  }
}

/** Thrown for a file of the journal that cannot be read because its stored bytes are damaged. */
export class DamagedJournalFile extends StoreError {
  /** Size of the stored file. */
  readonly bytes: number

  constructor(path: string, bytes: number, problem = 'it cannot be decompressed') {
    super(`${basename(path)} of the journal is damaged: ${problem}. The calls in it are in the roll-ups.`)
    this.bytes = bytes
  }
}

async function decompressFile(path: string): Promise<Buffer> {
  const packed = await readFile(path)
  try {
    return await decompress(packed)
  } catch {
    throw new DamagedJournalFile(path, packed.length)
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

/** Flushes files of the journal to disk. Compressed files are on disk already. */
async function syncJournal(folder: string, numbers: { has(number: number): boolean }): Promise<void> {
  const files = (await listJournal(folder)).filter(({ number }) => numbers.has(number))
  for (const { path } of files.filter(({ form }) => form === 'plain')) {
    // A file that was removed meanwhile cannot be flushed; what was read of it is counted.
    const handle = await open(path).catch(ignoreMissing)
    await handle?.datasync().finally(() => handle.close())
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
