import type { AppendResult, JournalFailure, UsageRecord } from '../domain/usage.ts'
import { BatchWriter } from './batch-writer.ts'

/** Writes a complete batch. Returns why it is not in the journal. */
export type WriteBatch = (batch: Buffer, records: number) => JournalFailure | undefined

/** Collects the records of a journal. */
export interface Turns {
  /** Adds a record to the open batch. All records of a batch share one promise. */
  append(record: UsageRecord): Promise<AppendResult>
  /** Writes the open batch. */
  flush(): void | Promise<void>
  /** Writes the open batch; it is the last one. */
  close(): void | Promise<void>
}

/** Collects the records of each turn of the event loop and writes them as one batch. */
export class TurnBatch implements Turns {
  readonly #endOfTurn: (work: () => void) => void
  readonly #write: WriteBatch
  readonly #batch = new BatchWriter()
  #turn: { readonly written: Promise<AppendResult>; readonly resolve: (outcome: AppendResult) => void } | undefined

  /** `endOfTurn` runs work at the end of the turn. */
  constructor(endOfTurn: (work: () => void) => void, write: WriteBatch) {
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

  close(): void {
    this.flush()
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
