import type { AppendResult, BatchStore, JournalFailure, UsageRecord } from '../domain/usage.ts'
import { createTurns } from './create-turns.ts'
import type { JournalDamage } from './journal-losses.ts'
import type { JournalPosition } from './journal-position.ts'
import { OpenFiles, type OpenFilesOptions } from './open-files.ts'
import type { Turns } from './turn-batch.ts'
import { WriteState } from './write-state.ts'

/** Options of a journal. */
export interface JournalOptions extends OpenFilesOptions {
  /** Maximum time before a written batch is flushed to disk, in milliseconds. */
  readonly syncAfterMs?: number
  /** Interval of write attempts while the disk fails, in milliseconds. */
  readonly probeEveryMs?: number
  /** Runs work at the end of the turn of the event loop. */
  readonly endOfTurn?: (work: () => void) => void
  /** Stores each batch before it is written; missing if the disk of this node suffices. */
  readonly store?: BatchStore | undefined
  /** Called when writing begins to fail, and with undefined when it works again. */
  readonly onFailure?: (failure: JournalFailure | undefined) => void
}

/** Interval of the looks at what other threads have written, in milliseconds. */
const followEveryMs = 50

/**
 * The append-only journal of all calls. The records of one turn of the event loop form one batch and one write. The
 * promise of a record resolves after that write, so that a call whose response was sent survives a kill -9.
 */
export class Journal {
  readonly #syncAfterMs: number
  readonly #state: WriteState
  readonly #files: OpenFiles
  readonly #turns: Turns
  #closed = false
  #syncTimer: NodeJS.Timeout | undefined
  /** Follows what other threads write. */
  #followTimer: NodeJS.Timeout | undefined
  /** Number of records at the last look at what other threads have written. */
  #seenRecords = 0

  /** Opens the journal in `folder`, creates it if missing, and truncates an incomplete batch that a crash left. */
  constructor(folder: string, options: JournalOptions = {}) {
    this.#syncAfterMs = options.syncAfterMs ?? 500
    this.#state = new WriteState({
      probe: () => this.#files.probe(),
      probeEveryMs: options.probeEveryMs ?? 1000,
      onChange: failure => {
        this.#files.failure = failure?.code
        options.onFailure?.(failure)
      },
    })
    const write = (batch: Buffer, records: number) => {
      const failure = this.#write(batch, records)
      if (!failure) this.#afterWrite()
      return failure
    }
    this.#turns = createTurns(options.endOfTurn ?? setImmediate, write, options.store)
    this.#files = new OpenFiles(folder, options, error => void this.#state.failed(error))
    if (options.memory) this.#followTimer = setInterval(() => this.#follow(), followEveryMs).unref()
  }

  /** Adds a record to the batch of this turn. All records of a turn share one promise. */
  append(record: UsageRecord): Promise<AppendResult> {
    return this.#turns.append(record)
  }

  /** Writes the records of this turn now. */
  flush(): void | Promise<void> {
    return this.#turns.flush()
  }

  /** Returns the last failure; undefined if the last write or sync succeeded. */
  failure(): JournalFailure | undefined {
    return this.#state.failure
  }

  /** Returns the position of the next batch. */
  end(): JournalPosition {
    return this.#files.end()
  }

  /** Number of records written since the journal was opened. */
  get records(): number {
    return this.#files.records
  }

  /**
   * Reports that the ledger has the journal up to a position, and the numbers of all files after it. Closes the files
   * before it, and checks the others.
   */
  setFolded(position: JournalPosition, reserved: readonly number[] = []): void {
    if (this.#closed) return
    this.#files.setFolded(position, reserved)
    this.#checkFiles()
  }

  /**
   * Appends the batches in a damaged part of the journal again, if they are still in memory. Returns the number of
   * bytes that are not.
   */
  rewrite(damage: JournalDamage): number {
    const batches = this.#closed ? undefined : this.#files.readRecent(damage)
    return !batches || this.#write(batches, 0) ? damage.bytes : 0
  }

  /** Appends batches that the journal of an earlier process does not have. Returns why they are not in it. */
  restore(batches: Buffer): JournalFailure | undefined {
    return this.#write(batches, 0)
  }

  /** Flushes the written batches to disk. */
  async sync(): Promise<void> {
    clearTimeout(this.#syncTimer)
    this.#syncTimer = undefined
    this.#checkFiles()
    await this.#files.sync()
  }

  /** Writes and syncs the open batch, and closes the file. */
  async close(): Promise<void> {
    clearInterval(this.#followTimer)
    await this.#turns.close()
    this.#closed = true
    await this.#state.close()
    await this.sync()
    await this.#files.close()
  }

  /** Releases the end of the journal if a thread that has ended still uses it. */
  releaseFor(endedThread: number): void {
    this.#files.releaseFor(endedThread)
  }

  #afterWrite(): void {
    this.#syncTimer ??= setTimeout(() => void this.sync(), this.#syncAfterMs)
    this.#files.rotateIfFull()
  }

  /** Does for the batches of other threads what a write does for those of this one. */
  #follow(): void {
    const { failure, records } = this.#files
    if (failure !== undefined && !this.#state.failure) this.#state.failed({ code: failure })
    if (records === this.#seenRecords) return
    this.#seenRecords = records
    this.#checkFiles()
    this.#afterWrite()
  }

  /** Writes complete batches. Returns why they are not in the journal. */
  #write(batches: Buffer, records: number): JournalFailure | undefined {
    try {
      this.#files.write(batches, records, this.#state.failure !== undefined)
      this.#state.worked()
      return undefined
    } catch (error) {
      return this.#state.failed(error)
    }
  }

  #checkFiles(): void {
    try {
      this.#files.check()
    } catch (error) {
      this.#state.failed(error)
    }
  }
}
