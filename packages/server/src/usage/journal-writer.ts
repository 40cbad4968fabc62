import type { AppendResult, BatchStore, JournalFailure, UsageJournal, UsageRecord } from '../domain/usage.ts'
import { createTurns } from './create-turns.ts'
import { JournalEnd, type JournalEndMemory } from './journal-end.ts'
import { type FileSystem, nodeFileSystem } from './journal-files.ts'
import type { Turns } from './turn-batch.ts'
import { toJournalFailure } from './write-state.ts'

/** Options of a writer of a journal. */
export interface JournalWriterOptions {
  /** The end of the journal, which another thread owns. */
  readonly memory: JournalEndMemory
  /** Number of the calling thread. */
  readonly thread: number
  /** Runs work at the end of the turn of the event loop. */
  readonly endOfTurn: (work: () => void) => void
  readonly files?: FileSystem
  /** Stores each batch before it is written; missing if the disk of this node suffices. */
  readonly store?: BatchStore | undefined
}

/**
 * Writes to the journal of another thread, which syncs, checks and rotates its files. The promise of a record
 * resolves after its write, as in the thread of the journal.
 */
export class JournalWriter implements UsageJournal {
  readonly #end: JournalEnd
  readonly #files: FileSystem
  readonly #turns: Turns

  constructor({ memory, thread, endOfTurn, files = nodeFileSystem, store }: JournalWriterOptions) {
    this.#end = new JournalEnd({ memory, thread })
    this.#files = files
    this.#turns = createTurns(endOfTurn, (batch, records) => this.#write(batch, records), store)
  }

  append(record: UsageRecord): Promise<AppendResult> {
    return this.#turns.append(record)
  }

  failure(): JournalFailure | undefined {
    const code = this.#end.failure
    return code === undefined ? undefined : toJournalFailure(code)
  }

  /** Writes the open batch. */
  async close(): Promise<void> {
    await this.#turns.close()
  }

  #write(batch: Buffer, records: number): JournalFailure | undefined {
    // The owner of the journal finds out when the disk works again.
    const failure = this.failure()
    if (failure) return failure
    try {
      this.#end.exclusively(() => this.#end.write(this.#files, batch, records))
      return undefined
    } catch (error) {
      const { code = 'UNKNOWN' } = error as NodeJS.ErrnoException
      this.#end.failure = code
      return toJournalFailure(code)
    }
  }
}
