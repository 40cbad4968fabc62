import type { AppendResult, JournalFailure, UsageRecord } from '../domain/usage.ts'
import { BatchWriter } from './batch-writer.ts'

/** Collects the records of each turn of the event loop and writes them as one batch. */
export class TurnBatch {
  readonly #endOfTurn: (work: () => void) => void
  readonly #write: (batch: Buffer, records: number) => JournalFailure | undefined
  readonly #batch = new BatchWriter()
  #turn: { readonly written: Promise<AppendResult>; readonly resolve: (outcome: AppendResult) => void } | undefined

  /**
   * `endOfTurn` runs work at the end of the turn. `write` writes a complete batch and returns why it is not in the
   * journal.
   */
  constructor(
    endOfTurn: (work: () => void) => void,
    write: (batch: Buffer, records: number) => JournalFailure | undefined,
  ) {
    this.#endOfTurn = endOfTurn
    this.#write = write
  }

  /** Adds a record to the batch of this turn. All records of a turn share one promise. */
  append(record: UsageRecord): Promise<AppendResult> {
    if (this.#batch.isFull) this.flush()
    this.#batch.add(record)
    if (!this.#turn) {
      const { promise, resolve } = Promise.withResolvers<AppendResult>()
      this.#turn = { written: promise, resolve }
      this.#endOfTurn(() => this.flush())
    }
    return this.#turn.written
  }

  /** Writes the open batch. */
  flush(): void {
    const turn = this.#turn
    if (!turn) return
    const { count } = this.#batch
    this.#turn = undefined
    turn.resolve(this.#write(this.#batch.take(), count) ?? 'written')
  }
}
