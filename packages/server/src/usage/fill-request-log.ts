import type { JournalCall } from '../domain/journal-call.ts'
import type { FoldedFile, Ledger } from '../domain/ledger.ts'
import type { LoggedFile, RequestLogWriter } from '../domain/request-log.ts'
import { findBatches } from './batch-frame.ts'
import { readCalls } from './journal-calls.ts'
import { type JournalFile, listJournal } from './journal-files.ts'
import { DamagedJournalFile, readContents } from './journal-reader.ts'

/** Options of `RequestLogFill`. */
export interface FillOptions {
  /** The journal's folder. */
  readonly folder: string
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
/** Interval at which `countedToMs` follows the clock without new calls. */
const writeEveryMs = 60_000
/** Time and number of added records after which expired rows are deleted. */
const pruneEveryMs = 600_000
const pruneEveryRecords = 500_000
/** Maximum number of batches that a round deletes, about a second; the next round continues. */
const maxBatches = 400

/**
 * Copies the journal to the request log, from the point that the log has reached in each file. It never changes the
 * ledger: a log that is deleted is filled again, as far as the journal reaches.
 */
export class RequestLogFill {
  readonly #options: FillOptions
  #prunedMs = 0
  #writtenMs = 0
  #unprunedRecords = 0

  constructor(options: FillOptions) {
    this.#options = options
  }

  /** Copies what has been written since the last round, up to a maximum. Returns the number of copied records. */
  async run(signal?: AbortSignal): Promise<number> {
    const { nowMs } = this.#options
    const startMs = nowMs()
    const round = new Round(this.#options, await this.#options.log.files(), startMs)
    if (await round.run(Math.abs(startMs - this.#writtenMs) >= writeEveryMs, signal)) this.#writtenMs = startMs
    this.#unprunedRecords += round.records
    if (Math.abs(startMs - this.#prunedMs) >= pruneEveryMs || this.#unprunedRecords >= pruneEveryRecords) {
      await this.#prune(startMs, signal)
    }
    return round.records
  }

  async #prune(nowMs: number, signal: AbortSignal | undefined): Promise<void> {
    const { log, keepMs, maxBytes } = this.#options
    for (let batches = 0; await log.prune({ beforeMs: nowMs - keepMs, maxBytes }); batches++)
      if (batches === maxBatches || signal?.aborted) return
    this.#prunedMs = nowMs
    this.#unprunedRecords = 0
  }
}

/** One round of a fill. */
class Round {
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
    const files = await listJournal(this.#options.folder)
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
    const contents = await readContents(file, start).catch(emptyIfDamaged)
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
