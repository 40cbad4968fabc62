import type { FoldedFile } from '../domain/ledger.ts'
import type { UsageRecord } from '../domain/usage.ts'
import { findNextBatch } from './batch-frame.ts'
import { listJournal } from './journal-files.ts'
import type { JournalDamage } from './journal-losses.ts'
import { decodeRecords, readContents } from './journal-reader.ts'
import { RepeatFinder } from './repeats.ts'

/** A batch that the ledger does not have yet. */
export interface UnfoldedBatch {
  /** The records that are not repeats. */
  readonly records: readonly UsageRecord[]
  /** The state of the file after this batch. */
  readonly file: FoldedFile
  /** The damaged part before the batch. */
  readonly damage: JournalDamage | undefined
}

/**
 * Reads the journal from the point that the ledger has reached in each file, up to the present end of the file. Each file
 * has a point of its own, so that a stray or restored file neither hides the calls of another one nor moves the fold past
 * them. Safe to call during writes: an incomplete batch is left for the next call.
 */
export class UnfoldedJournal {
  /** The files as far as they have been read, by number. */
  readonly files: Map<number, FoldedFile>
  readonly #folder: string
  readonly #first: number
  readonly #repeats: RepeatFinder

  /** `folded` are the files of the ledger. */
  constructor(folder: string, folded: readonly FoldedFile[]) {
    this.files = new Map(folded.map(file => [file.file, file]))
    this.#folder = folder
    this.#first = folded[0]?.file ?? 0
    this.#repeats = new RepeatFinder(folder, this.files)
  }

  /** Yields the batches that have been written since the last call, file by file; for a new file at least an empty one. */
  async *read(): AsyncGenerator<UnfoldedBatch> {
    for (const { number, form, path } of await listJournal(this.#folder)) {
      const known = this.files.get(number)
      // Retention changes the form of a file, and removes files, after they have been folded completely.
      if (number < this.#first || (known && (known.state !== 'present' || form !== 'plain'))) continue
      const file = known ?? createFile(number)
      if (!known) {
        this.files.set(number, file)
        yield { records: [], file, damage: undefined }
      }
      const contents = await readContents({ number, form, path }, file.bytes)
      for (let batch = findNextBatch(contents, 0); batch; batch = findNextBatch(contents, batch.end)) {
        const written = decodeRecords(batch.body)
        const records = await this.#repeats.removeRepeats(number, written)
        const before = this.files.get(number)!
        const next = advance(before, file.bytes + batch.end, written, records.length)
        this.files.set(number, next)
        const { skipped } = batch
        yield {
          records,
          file: next,
          damage: skipped > 0 ? { file: number, offset: before.bytes, bytes: skipped } : undefined,
        }
      }
    }
  }
}

/** Returns the state of a file after a batch with `calls` records that were counted. */
function advance(file: FoldedFile, bytes: number, written: readonly UsageRecord[], calls: number): FoldedFile {
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
