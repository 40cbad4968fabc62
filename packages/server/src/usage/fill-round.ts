import type { JournalCall } from '../domain/journal-call.ts'
import type { FoldedFile, Ledger } from '../domain/ledger.ts'
import type { LoggedFile, RequestLogWriter } from '../domain/request-log.ts'
import { findBatches } from './batch-frame.ts'
import { readCalls } from './journal-calls.ts'
import type { JournalFile } from './journal-files.ts'
import { DamagedJournalFile, type JournalReader } from './journal-reader.ts'

/** Options of `RequestLogFill` and its rounds. */
export interface FillOptions {
  readonly journal: JournalReader
  readonly ledger: Pick<Ledger, 'files'>
  readonly log: RequestLogWriter
  readonly nowMs: () => number
  /** Retention of the request log, in milliseconds, and its maximum size. */
  readonly keepMs: number
  readonly maxBytes: number
}

/** Number of records in one transaction, and in one round. */
const recordsPerCommit = 20_000
const recordsPerRound = 200_000

/** One round of a fill. */
export class FillRound {
  records = 0
  readonly #options: FillOptions
  readonly #known: ReadonlyMap<number, LoggedFile>
  readonly #startMs: number
  readonly #beforeMs: number
  #part: JournalCall[] = []
  #files = new Map<number, LoggedFile>()

  constructor(options: FillOptions, known: ReadonlyMap<number, LoggedFile>, startMs: number) {
    this.#options = options
    this.#known = known
    this.#startMs = startMs
    this.#beforeMs = startMs - options.keepMs
  }

  /**
   * Copies what has been written. Returns true if the log then has the whole journal and `countedToMs` says so. Without
   * new calls, it writes `countedToMs` only if `isDue` is true.
   */
  async run(isDue: boolean, signal: AbortSignal | undefined): Promise<boolean> {
    const expired = await this.#listExpired()
    const { files } = await this.#options.journal.scan()
    for (const file of files) {
      const known = this.#known.get(file.number)
      if (known?.complete) continue
      // The writer may add calls to the newest file, whatever its calls so far.
      if (!known && expired.has(file.number) && file !== files.at(-1)) this.#setFile(file.number, 0, true)
      else await this.#read(file, known, signal)
      if (this.#isFull() || signal?.aborted) {
        await this.#commit()
        return false
      }
    }
    const isIdle = this.records === 0 && this.#part.length === 0 && this.#files.size === 0
    if (isIdle && !isDue) return false
    await this.#commit(this.#startMs)
    return true
  }

  /** Returns the files of the ledger whose calls are all expired. */
  async #listExpired(): Promise<ReadonlySet<number>> {
    const isNew = this.#known.size === 0
    const files = isNew ? await this.#options.ledger.files() : []
    // A file without calls has no times: its calls may follow.
    const isExpired = ({ firstMs, lastMs }: FoldedFile) => firstMs <= lastMs && lastMs < this.#beforeMs
    return new Set(files.filter(isExpired).map(({ file }) => file))
  }

  async #read(file: JournalFile, known: LoggedFile | undefined, signal: AbortSignal | undefined): Promise<void> {
    // A file without its unbilled calls has other offsets: it is read from the start, and the log ignores the calls
    // that it has.
    const start = file.form === 'billedOnly' ? 0 : (known?.bytes ?? 0)
    const contents = await this.#options.journal.read(file, start).catch(emptyIfDamaged)
    for (const batch of findBatches(contents)) {
      for (const call of readCalls(batch)) if (call.timeMs >= this.#beforeMs) this.#part.push(call)
      this.#setFile(file.number, start + batch.end, false)
      if (this.#part.length < recordsPerCommit) continue
      await this.#commit(this.#part.at(-1)!.timeMs)
      if (this.#isFull() || signal?.aborted) return
    }
    if (file.form !== 'plain') this.#setFile(file.number, start + contents.length, true)
  }

  #isFull(): boolean {
    return this.records >= recordsPerRound
  }

  #setFile(file: number, bytes: number, complete: boolean): void {
    this.#files.set(file, { file, bytes, complete })
  }

  async #commit(countedToMs?: number): Promise<void> {
    await this.#options.log.add({ calls: this.#part, files: [...this.#files.values()], countedToMs })
    this.records += this.#part.length
    this.#part = []
    this.#files = new Map()
  }
}

/** A damaged file cannot be read; it must not stop the fill. */
function emptyIfDamaged(error: unknown): Buffer {
  if (error instanceof DamagedJournalFile) return Buffer.alloc(0)
  throw error
}
