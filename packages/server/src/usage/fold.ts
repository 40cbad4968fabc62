import type { FoldedFile, Ledger, UsageCursor } from '../domain/ledger.ts'
import { FoldPart } from './fold-part.ts'
import { type JournalDamage, type JournalLoss, LossFinder } from './journal-losses.ts'
import type { JournalReader } from './journal-reader.ts'
import { batchId } from './stored-turns.ts'
import { UnfoldedJournal } from './unfolded.ts'

/** Options of a fold. */
export interface FoldOptions {
  /** Approximate number of records in one transaction of the ledger; smaller after a failure. Default: 20,000. */
  readonly recordsPerCommit?: number
  /** Approximate number of records after which the fold stops. Default: no maximum. */
  readonly maxRecords?: number
  /** True if batches were stored before they were written: the ledger no longer needs those that it has. */
  readonly hasStored?: boolean
  /** Stops the fold between two transactions. */
  readonly signal?: AbortSignal
}

/** The result of a fold. */
export interface FoldReport {
  /** Number of calls that were counted. */
  readonly records: number
  /** Number of them that shared limits did not know. */
  readonly late: number
  /** Damaged parts that were skipped. */
  readonly damages: readonly JournalDamage[]
  /** The files of the journal as far as they have been folded, by number. */
  readonly files: ReadonlyMap<number, FoldedFile>
  /** Files that have been found missing or shortened; each is reported once. */
  readonly losses: readonly JournalLoss[]
}

/**
 * Adds the journal to the ledger, from the point that the ledger has reached in each file to its current end. Safe to
 * interrupt and rerun: each transaction contains the sums of a part of the journal and the points after that part.
 */
export const foldJournal = (journal: JournalReader, ledger: Ledger, options: FoldOptions = {}): Promise<FoldReport> =>
  new JournalFold(journal, ledger).run(options)

const maxRecordsPerCommit = 20_000
const minRecordsPerCommit = 500

/** State of a fold between its runs. */
interface FoldState {
  position: UsageCursor
  /** The files as of the last commit. */
  readonly committed: Map<number, FoldedFile>
  readonly journal: UnfoldedJournal
}

/** Folds the journal repeatedly, and remembers between two runs what it would otherwise read again. */
export class JournalFold {
  readonly #journal: JournalReader
  readonly #ledger: Ledger
  readonly #losses: LossFinder
  #state: FoldState | undefined
  /** A store that ends what takes too long must not end the same part again and again. */
  #recordsPerCommit = maxRecordsPerCommit

  /** `absentRuns`: number of consecutive runs in which a file must be missing before it is reported. Default: 1. */
  constructor(journal: JournalReader, ledger: Ledger, absentRuns = 1) {
    this.#journal = journal
    this.#ledger = ledger
    this.#losses = new LossFinder(journal, absentRuns)
  }

  /** Folds what has been written since the last run. */
  async run(options: FoldOptions = {}): Promise<FoldReport> {
    try {
      return await this.#run(options)
    } catch (error) {
      // What was read but not committed is read again.
      this.#state = undefined
      this.#recordsPerCommit = Math.max(minRecordsPerCommit, this.#recordsPerCommit / 2)
      throw error
    }
  }

  /** Marks files that retention is going to remove, so that they are not reported as missing. */
  async markDropped(files: readonly number[]): Promise<void> {
    await this.#mark(({ file }) => files.includes(file))
  }

  /** Stops reporting lost files whose records all are older than a time. */
  async forgetLosses(beforeMs: number): Promise<void> {
    await this.#mark(({ state, lastMs }) => state === 'lost' && lastMs < beforeMs)
  }

  async #mark(isDropped: (file: FoldedFile) => boolean): Promise<void> {
    const dropped = [...(await this.#load()).committed.values()].filter(isDropped)
    if (dropped.length === 0) return
    await this.#ledger.markFiles(dropped.map(file => ({ ...file, state: 'dropped' as const })))
    this.#state = undefined
  }

  async #run({
    recordsPerCommit = maxRecordsPerCommit,
    maxRecords = Number.POSITIVE_INFINITY,
    signal,
    hasStored = false,
  }: FoldOptions): Promise<FoldReport> {
    const losses = await this.#findLosses()
    const state = await this.#load()
    const damages: JournalDamage[] = []
    const report = { records: 0, late: 0, damages, files: state.committed, losses }
    let part = new FoldPart()
    const commit = async (): Promise<boolean> => {
      if (part.files.size === 0) return true
      // The ledger must not contain calls that the journal loses in a power failure.
      await this.#journal.sync(part.files)
      const to = part.end()
      const committed = await this.#ledger.commit({ from: state.position, to, ...part.fold() })
      if (committed === 'stale') {
        this.#state = undefined
        return false
      }
      state.position = to
      for (const [number, file] of part.files) state.committed.set(number, file)
      report.records += part.sums.calls
      report.late += committed.late
      part = new FoldPart()
      return !signal?.aborted && report.records < maxRecords
    }
    for await (const { calls, file, bytes, damage } of state.journal.read()) {
      part.sums.add(calls)
      part.files.set(file.file, file)
      if (bytes && hasStored) part.batches.push(batchId(bytes))
      if (damage) damages.push(damage)
      if (part.sums.calls >= Math.min(recordsPerCommit, this.#recordsPerCommit) && !(await commit())) return report
    }
    await commit()
    this.#recordsPerCommit = maxRecordsPerCommit
    return report
  }

  /** Marks files that are missing or shortened, and files that are back. */
  async #findLosses(): Promise<readonly JournalLoss[]> {
    const { changed, losses } = await this.#losses.find((await this.#load()).journal.files)
    if (changed.length > 0) {
      await this.#ledger.markFiles(changed)
      this.#state = undefined
    }
    return losses
  }

  /** Returns the remembered state, unless another process has folded since. */
  async #load(): Promise<FoldState> {
    // Read before the files: if they change in between, the next commit is stale.
    const position = await this.#ledger.position()
    if (this.#state?.position !== position) {
      const journal = new UnfoldedJournal(this.#journal, await this.#ledger.files())
      this.#state = { position, journal, committed: new Map(journal.files) }
    }
    return this.#state
  }
}
