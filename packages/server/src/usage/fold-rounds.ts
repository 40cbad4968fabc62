import type { Ledger, UsageCursor } from '../domain/ledger.ts'
import { type FoldOptions, JournalFold } from './fold.ts'
import type { FoldRound } from './journal-lag.ts'
import { parseCursor } from './journal-position.ts'
import type { JournalReader } from './journal-reader.ts'
import type { ShippingRound } from './ship-journal.ts'

interface FoldRoundParts {
  /** The files of the journal: in its folder, and in the blobs. */
  readonly journal: JournalReader
  readonly ledger: Ledger
  readonly nowMs: () => number
  /** True if batches are stored before they are written. */
  readonly hasStored?: boolean
  /** Called after each round. */
  readonly onFolded?: ((round: FoldRound) => void) | undefined
  /** Returns the number of the file that is being written. Default: the file of the ledger's position. */
  readonly writing?: (() => number) | undefined
}

/**
 * Number of consecutive rounds that must find a file missing before it counts as lost: the writer restores a file
 * within one round.
 */
const absentRounds = 2

/** Folds a journal in rounds, one at a time. */
export class FoldRounds {
  readonly #parts: FoldRoundParts
  readonly #fold: JournalFold
  #last: Promise<unknown> = Promise.resolve()

  constructor(parts: FoldRoundParts) {
    this.#parts = parts
    this.#fold = new JournalFold(parts.journal, parts.ledger, absentRounds)
  }

  /** Folds what has been written since the last round. */
  run(options: FoldOptions = {}): Promise<ShippingRound> {
    return this.exclusively(fold => this.#round(fold, options))
  }

  /** Folds everything that is in the journal now, and returns the position after it. */
  toEnd(): Promise<UsageCursor> {
    return this.exclusively(async fold => {
      await this.#round(fold)
      // A round that found the ledger changed has folded nothing.
      await this.#round(fold)
      return this.#parts.ledger.position()
    })
  }

  /** Calls `work` between two rounds. */
  exclusively<T>(work: (fold: JournalFold) => Promise<T>): Promise<T> {
    const next = this.#last.then(() => work(this.#fold))
    this.#last = next.catch(() => {})
    return next
  }

  async #round(fold: JournalFold, options: FoldOptions = {}): Promise<ShippingRound> {
    const { ledger, nowMs, onFolded, writing, hasStored = false } = this.#parts
    const startMs = nowMs()
    const current = writing?.()
    const { records, late, files, losses, damages } = await fold.run({ hasStored, ...options })
    const file = current ?? parseCursor(await ledger.position()).file
    onFolded?.({
      records,
      late,
      position: { file, offset: files.get(file)?.bytes ?? 0 },
      startMs,
      reserved: [...files.keys()].filter(number => number > file),
      losses,
      damages,
    })
    return { writing: file, files }
  }
}
