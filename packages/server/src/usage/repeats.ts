import type { JournalCall } from '../domain/journal-call.ts'
import type { FoldedFile } from '../domain/ledger.ts'
import { findBatches } from './batch-frame.ts'
import { IdSet } from './id-set.ts'
import { readCalls } from './journal-calls.ts'
import { DamagedJournalFile, type JournalReader } from './journal-reader.ts'

/** The part of a file that earlier folds have read, and the times of its records. */
export type FilePart = Pick<FoldedFile, 'bytes' | 'firstMs' | 'lastMs'>

/**
 * Finds the records that the journal already has at an earlier place, in the same or in another file. The
 * journal itself is the memory: a record can only be in files whose times include its own, and the ids of these files
 * are read when they are needed. The service usually writes at a time that no other file includes.
 */
export class RepeatFinder {
  readonly #journal: JournalReader
  readonly #parts: ReadonlyMap<number, FilePart>
  /** Ids of the files that were used last, in the order of use. */
  readonly #ids = new Map<number, IdSet>()
  /** The largest time of all files except `file`. */
  #others = { file: -1, newestMs: 0 }

  /** `parts` are the parts of the journal that have been read, by file; the caller extends them as it reads. */
  constructor(journal: JournalReader, parts: ReadonlyMap<number, FilePart>) {
    this.#journal = journal
    this.#parts = parts
  }

  /** Returns the calls of a batch of a file that are not repeats, and remembers them. */
  async removeRepeats(file: number, calls: readonly JournalCall[]): Promise<readonly JournalCall[]> {
    const own = await this.#idsOf(file)
    const repeats = new Set<JournalCall>()
    for (const call of calls) if (!own.add(call.idLow, call.idHigh)) repeats.add(call)
    const others = this.#findOverlapping(file, calls)
    for (const other of others) {
      const ids = await this.#idsOf(other)
      for (const call of calls) if (ids.has(call.idLow, call.idHigh)) repeats.add(call)
    }
    this.#evict(Math.max(minSets, others.length + 1))
    return repeats.size === 0 ? calls : calls.filter(call => !repeats.has(call))
  }

  /** Returns the numbers of the other files that have calls of the same time. */
  #findOverlapping(file: number, calls: readonly JournalCall[]): number[] {
    let firstMs = Number.POSITIVE_INFINITY
    let lastMs = 0
    for (const { timeMs } of calls) {
      firstMs = Math.min(firstMs, timeMs)
      lastMs = Math.max(lastMs, timeMs)
    }
    if (this.#others.file !== file) this.#others = { file, newestMs: this.#findNewest(file) }
    if (firstMs > this.#others.newestMs) return []
    const found: number[] = []
    for (const [number, part] of this.#parts)
      if (number !== file && part.firstMs <= lastMs && part.lastMs >= firstMs) found.push(number)
    return found
  }

  #findNewest(file: number): number {
    let newestMs = 0
    for (const [number, { lastMs }] of this.#parts) if (number !== file) newestMs = Math.max(newestMs, lastMs)
    return newestMs
  }

  async #idsOf(file: number): Promise<IdSet> {
    const ids = this.#ids.get(file) ?? (await readIds(this.#journal, file, this.#parts.get(file)?.bytes ?? 0))
    this.#ids.delete(file)
    this.#ids.set(file, ids)
    this.#evict(maxSets)
    return ids
  }

  #evict(sets: number): void {
    for (const file of this.#ids.keys()) {
      if (this.#ids.size <= sets) return
      this.#ids.delete(file)
    }
  }
}

/**
 * Number of files whose ids are in memory; those of a file of 64 MB take up to 8 MB. Usually the current and the
 * previous file suffice. A wall clock that was set back needs the files of the same time as well.
 */
const minSets = 2
const maxSets = 8

/** Reads the ids in the first `bytes` of a file. Returns an empty set if the file is gone. */
async function readIds(journal: JournalReader, number: number, bytes: number): Promise<IdSet> {
  const ids = new IdSet()
  const file = bytes > 0 ? (await journal.scan()).files.find(found => found.number === number) : undefined
  if (!file) return ids
  const contents = await journal.read(file).catch(emptyIfDamaged)
  // Retention has removed the unbilled calls, so `bytes` no longer applies; all calls of such a file have been read.
  const part = file.form === 'billedOnly' ? contents : contents.subarray(0, bytes)
  for (const batch of findBatches(part)) for (const { idLow, idHigh } of readCalls(batch)) ids.add(idLow, idHigh)
  return ids
}

/** A damaged file cannot be compared; it must not stop the fold. */
function emptyIfDamaged(error: unknown): Buffer {
  if (error instanceof DamagedJournalFile) return Buffer.alloc(0)
  throw error
}
