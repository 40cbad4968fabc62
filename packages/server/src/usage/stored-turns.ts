import { createHash } from 'node:crypto'
import { findDiskFailure } from '../domain/store-errors.ts'
import type { AppendResult, BatchStore, JournalFailure, UsageRecord } from '../domain/usage.ts'
import { BatchWriter } from './batch-writer.ts'
import type { Turns, WriteBatch } from './turn-batch.ts'
import { Withdrawals } from './withdrawals.ts'

/** Returns the id under which a batch is stored: a part of its digest, in the form of a UUID. */
export function batchId(batch: Uint8Array): string {
  const hex = createHash('sha256').update(batch).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-')
}

interface Turn {
  readonly written: Promise<AppendResult>
  readonly resolve: (outcome: AppendResult) => void
}

/**
 * Collects records, and stores each batch outside of the node before it is written to the journal. One batch is
 * being stored at a time; the records of all turns in between are the next one.
 */
export class StoredTurns implements Turns {
  readonly #endOfTurn: (work: () => void) => void
  readonly #write: WriteBatch
  readonly #store: BatchStore
  readonly #withdrawals: Withdrawals
  readonly #batch = new BatchWriter()
  #turn: Turn | undefined
  #storing: Promise<void> | undefined

  constructor(endOfTurn: (work: () => void) => void, write: WriteBatch, store: BatchStore) {
    this.#endOfTurn = endOfTurn
    this.#write = write
    this.#store = store
    this.#withdrawals = new Withdrawals(store)
  }

  /** Adds a record to the next batch. All records of a batch share one promise. */
  append(record: UsageRecord): Promise<AppendResult> {
    if (this.#batch.isFull) return Promise.resolve({ code: 'EBUSY', reason: 'Too many calls wait for the database.' })
    this.#batch.add(record)
    if (!this.#turn) {
      const { promise, resolve } = Promise.withResolvers<AppendResult>()
      this.#turn = { written: promise, resolve }
      if (!this.#storing) this.#endOfTurn(() => this.#start())
    }
    return this.#turn.written
  }

  /** Stores and writes the records that wait. */
  async flush(): Promise<void> {
    this.#start()
    await this.#storing
  }

  /** Stores and writes the records that wait, and removes from the store what was refused. */
  async close(): Promise<void> {
    await this.flush()
    await this.#withdrawals.close()
  }

  #start(): void {
    if (!this.#turn || this.#storing) return
    this.#storing = this.#storeAll()
  }

  async #storeAll(): Promise<void> {
    try {
      for (let turn = this.#turn; turn; turn = this.#turn) {
        const { count } = this.#batch
        const batch = Buffer.from(this.#batch.take())
        this.#turn = undefined
        const outcome = (await this.#storeOne(batch)) ?? this.#write(batch, count)
        // What is stored without being in the journal would be billed by the next start.
        if (outcome) this.#withdrawals.add(batchId(batch))
        turn.resolve(outcome ?? 'written')
      }
    } finally {
      // In the same turn as the end of the loop: the next record starts another one.
      this.#storing = undefined
    }
  }

  /** Returns the reason why a batch is not stored. */
  async #storeOne(batch: Buffer): Promise<JournalFailure | undefined> {
    try {
      await this.#store.add(batchId(batch), batch)
      return undefined
    } catch (error) {
      if (!findDiskFailure(error)) throw error
      return { code: 'database', reason: (error as Error).message }
    }
  }
}
