import { existsSync, statSync } from 'node:fs'
import type { UsageCursor } from '../domain/ledger.ts'
import { journalPath } from './journal-files.ts'
import { cursorOf, type Position, positionOf } from './position.ts'

/** What the writing side knows of a journal. */
export interface Written {
  /** Where the next batch will begin. */
  end(): Position
  /** How many records were written since this process began. */
  readonly records: number
}

/** What one round of folding did; `startMs` is when it looked for the journal's end. */
export interface FoldRound {
  readonly records: number
  readonly position: UsageCursor
  readonly startMs: number
}

/** How far the ledger is behind the journal, from what the folding thread tells after each round. */
export class JournalLag {
  readonly #folder: string
  readonly #written: Written
  readonly #nowMs: () => number
  #folded: FoldRound

  /** `from`: up to where the journal was folded before this process wrote to it. */
  constructor(folder: string, written: Written, from: UsageCursor, nowMs: () => number) {
    this.#folder = folder
    this.#written = written
    this.#nowMs = nowMs
    this.#folded = { records: 0, position: from, startMs: nowMs() }
  }

  /** Takes the report of a round. A round whose report was lost with its thread is made up for by the next complete one. */
  folded(round: FoldRound): void {
    const isComplete = round.position === cursorOf(this.#written.end())
    const records = isComplete ? this.#written.records : this.#folded.records + round.records
    this.#folded = { ...round, records }
  }

  records(): number {
    return Math.max(0, this.#written.records - this.#folded.records)
  }

  bytes(): number {
    const end = this.#written.end()
    const { file, offset } = positionOf(this.#folded.position)
    let bytes = end.offset - offset
    for (let number = file; number < end.file; number++) {
      const path = journalPath(this.#folder, number)
      if (existsSync(path)) bytes += statSync(path).size
    }
    return Math.max(0, bytes)
  }

  /** What is not folded was written after the last round began. */
  seconds(): number {
    return this.records() === 0 ? 0 : Math.max(0, this.#nowMs() - this.#folded.startMs) / 1000
  }
}
