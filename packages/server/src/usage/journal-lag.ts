import { existsSync, statSync } from 'node:fs'
import { journalPath } from './journal-files.ts'
import type { JournalDamage, JournalLoss } from './journal-losses.ts'
import type { JournalPosition } from './journal-position.ts'

/** The writing side of a journal. */
export interface WrittenJournal {
  /** Returns the position of the next batch. */
  end(): JournalPosition
  /** Number of records written since the start of the process. */
  readonly records: number
}

/** The result of one round of folding; `startMs` is the time at which it determined the end of the journal. */
export interface FoldRound {
  readonly records: number
  /** Number of them that shared limits did not know. */
  readonly late: number
  /**
   * The point that the ledger has reached in the file that was written when the round started; it has all files before.
   */
  readonly position: JournalPosition
  readonly startMs: number
  /** Numbers of files after that file, which the writer did not create. */
  readonly reserved: readonly number[]
  readonly losses: readonly JournalLoss[]
  readonly damages: readonly JournalDamage[]
}

/** Measures how far the ledger is behind the journal, from the reports of the ledger thread. */
export class JournalLag {
  readonly #folder: string
  readonly #written: WrittenJournal
  readonly #nowMs: () => number
  #folded: Pick<FoldRound, 'records' | 'position' | 'startMs'>

  /** Call it before the first record is written, after everything that earlier processes wrote has been folded. */
  constructor(folder: string, written: WrittenJournal, nowMs: () => number) {
    this.#folder = folder
    this.#written = written
    this.#nowMs = nowMs
    this.#folded = { records: 0, position: written.end(), startMs: nowMs() }
  }

  /**
   * Adds the report of a round. If the thread dies, a report is lost; the next round that reaches the end corrects the
   * count.
   */
  addRound(round: FoldRound): void {
    const end = this.#written.end()
    const isComplete = round.position.file === end.file && round.position.offset === end.offset
    const records = isComplete ? this.#written.records : this.#folded.records + round.records
    this.#folded = { position: round.position, startMs: round.startMs, records }
  }

  /** Returns the time since the start of the last round: the ledger has what was written before, in milliseconds. */
  foldedAgeMs(): number {
    return Math.max(0, this.#nowMs() - this.#folded.startMs)
  }

  /** Returns the number of records that are not folded. */
  records(): number {
    return Math.max(0, this.#written.records - this.#folded.records)
  }

  /** Returns the number of bytes that are not folded. */
  bytes(): number {
    const end = this.#written.end()
    const { file, offset } = this.#folded.position
    let bytes = end.offset - offset
    for (let number = file; number < end.file; number++) {
      const path = journalPath(this.#folder, number)
      if (existsSync(path)) bytes += statSync(path).size
    }
    return Math.max(0, bytes)
  }

  /** Returns the maximum age of the records that are not folded: they were written after the last round started. */
  seconds(): number {
    return this.records() === 0 ? 0 : Math.max(0, this.#nowMs() - this.#folded.startMs) / 1000
  }
}
