import { type FillOptions, FillRound } from './fill-round.ts'

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
    const round = new FillRound(this.#options, await this.#options.log.files(), startMs)
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
