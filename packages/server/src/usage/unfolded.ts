import type { JournalCall } from '../domain/journal-call.ts'
import type { FoldedFile } from '../domain/ledger.ts'
import { findBatches, headerLength } from './batch-frame.ts'
import { readCalls } from './journal-calls.ts'
import { findSequenceEnd, type JournalFile } from './journal-files.ts'
import type { JournalDamage } from './journal-losses.ts'
import { DamagedJournalFile, type JournalReader } from './journal-reader.ts'
import { RepeatFinder } from './repeats.ts'

/** A batch that the ledger does not have yet. */
export interface UnfoldedBatch {
  /** The calls that are not repeats. */
  readonly calls: readonly JournalCall[]
  /** The state of the file after this batch. */
  readonly file: FoldedFile
  /** The batch as it is in the file; undefined for an empty one. */
  readonly bytes: Buffer | undefined
  /** The damaged part before the batch. */
  readonly damage: JournalDamage | undefined
}

/**
 * Reads the journal from the point that the ledger has reached in each file, up to the current end of the file. Each
 * file has a point of its own, so that a stray or restored file neither hides the calls of another one nor moves the
 * fold past them. Safe to call during writes: an incomplete batch is left for the next call.
 */
export class UnfoldedJournal {
  /** The files as far as they have been read, by number. */
  readonly files: Map<number, FoldedFile>
  readonly #journal: JournalReader
  readonly #first: number
  readonly #repeats: RepeatFinder

  /** `folded` are the files of the ledger. */
  constructor(journal: JournalReader, folded: readonly FoldedFile[]) {
    this.files = new Map(folded.map(file => [file.file, file]))
    this.#journal = journal
    this.#first = folded[0]?.file ?? 0
    this.#repeats = new RepeatFinder(journal, this.files)
  }

  /**
   * Yields the batches that have been written since the last call, file by file; for a new file at least an empty one.
   */
  async *read(): AsyncGenerator<UnfoldedBatch> {
    const last = findSequenceEnd(this.files.keys())
    for (const found of (await this.#journal.scan()).files) {
      const { number } = found
      const known = this.files.get(number)
      if (number < this.#first || (known && isFolded(known, found, last))) continue
      const file = known ?? createFile(number)
      const { contents, damage } = await this.#readOrSkip(found, file.bytes)
      if (!known) {
        this.files.set(number, file)
        yield { calls: [], file, bytes: undefined, damage }
      }
      for (const batch of findBatches(contents)) {
        const written = readCalls(batch)
        const calls = await this.#repeats.removeRepeats(number, written)
        const before = this.files.get(number)!
        const next = advance(before, file.bytes + batch.end, written, calls.length)
        this.files.set(number, next)
        const { skipped, end } = batch
        yield {
          calls,
          file: next,
          bytes: contents.subarray(end - headerLength - batch.body.length, end),
          damage: skipped > 0 ? { file: number, offset: before.bytes, bytes: skipped } : undefined,
        }
      }
    }
  }

  /**
   * Reads a file from a byte offset. A compressed file that is damaged has no contents, so that it does not stop the
   * fold.
   */
  async #readOrSkip(
    file: JournalFile,
    offset: number,
  ): Promise<{ readonly contents: Buffer; readonly damage: JournalDamage | undefined }> {
    try {
      return { contents: await this.#journal.read(file, offset), damage: undefined }
    } catch (error) {
      if (!(error instanceof DamagedJournalFile)) throw error
      return { contents: Buffer.alloc(0), damage: { file: file.number, offset: 0, bytes: error.bytes } }
    }
  }
}

/**
 * Returns true if the ledger has all of a file. Retention compresses files after they have been folded completely, but
 * an older copy of the ledger may lack the end of the last file that it knows; of one without its unbilled calls, the
 * point is not known.
 */
const isFolded = ({ state }: FoldedFile, { number, form }: JournalFile, last: number): boolean =>
  state !== 'present' || form === 'billedOnly' || (form !== 'plain' && number !== last)

/** Returns the state of a file after a batch with `calls` records that were counted. */
function advance(file: FoldedFile, bytes: number, written: readonly JournalCall[], calls: number): FoldedFile {
  let { firstMs, lastMs } = file
  for (const { timeMs } of written) {
    firstMs = Math.min(firstMs, timeMs)
    lastMs = Math.max(lastMs, timeMs)
  }
  return { ...file, bytes, calls: file.calls + calls, firstMs, lastMs }
}

const createFile = (file: number): FoldedFile => ({
  file,
  bytes: 0,
  calls: 0,
  firstMs: Number.POSITIVE_INFINITY,
  lastMs: 0,
  state: 'present',
})
