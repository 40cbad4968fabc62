import type { UsageCursor } from '../domain/ledger.ts'
import type { PackageTable } from '../domain/package.ts'
import type { RefusalHour } from '../domain/refusal-hours.ts'
import type { EngineDescriptor } from '../domain/stores.ts'
import type { Thread } from '../kit/thread.ts'
import { threadEntry } from '../kit/thread-entry.ts'
import type { Threads } from '../kit/threads.ts'
import type { FoldRound } from '../usage/journal-lag.ts'
import type { WorkerRoundEvent, WorkerRoundsTask } from './worker-rounds.ts'

/** Adds refusals to the request log, or folds the journal to its end, which returns the position there. */
export type LedgerRequest = { readonly refusals: readonly RefusalHour[] } | { readonly fold: 'all' }

export type LedgerThread = Thread<LedgerRequest, UsageCursor | undefined, LedgerEvent>

/** Data of the ledger thread. */
export interface LedgerTask {
  readonly engine: EngineDescriptor
  /** The journal's folder. */
  readonly journal: string
  /** Place of the blobs to which the journal is copied; undefined without blobs. */
  readonly blobs: string | undefined
  /** True if batches are stored before they are written. */
  readonly hasStored: boolean
  /** Shared memory: the number of the journal file that is being written, as a 32-bit integer. */
  readonly writing: SharedArrayBuffer
  /** True if nodes share limits. */
  readonly isShared: boolean
  /** Retention of the journal, in milliseconds. */
  readonly keepMs: number
  /** Maximum size of the journal, in bytes. */
  readonly maxBytes: number
  /** Retention of the request log, in milliseconds, and its maximum size in bytes. */
  readonly requests: { readonly keepMs: number; readonly maxBytes: number }
  readonly packageTable: PackageTable
  /** Shared memory: 1 as a 32-bit integer while the journal cannot be written. */
  readonly journalFailing: SharedArrayBuffer
  /** Undefined if one of several processes is elected to run the rounds. */
  readonly workerRounds: WorkerRoundsTask | undefined
}

/** An event of the ledger thread, which retries after an error. */
export type LedgerEvent =
  | { readonly foldError: Error }
  | { readonly shippingError: Error }
  | { readonly requestLogError: Error }
  | { readonly folded: FoldRound }
  | WorkerRoundEvent

/** Callbacks for the events of the ledger thread. */
export interface LedgerListener {
  onFoldError(error: Error): void
  onShippingError(error: Error): void
  onRequestLogError(error: Error): void
  onFolded(round: FoldRound): void
  onRound(event: WorkerRoundEvent): void
}

/**
 * Maximum wait for the end of the thread, in milliseconds; it stops after a transaction, which takes less than a
 * second.
 */
const stopWithinMs = 30_000

/**
 * Starts the thread that folds the journal into the ledger, fills the request log, compacts the journal, and maintains
 * the stores.
 */
export const startLedgerThread = (threads: Threads, task: LedgerTask, listener: LedgerListener): LedgerThread =>
  threads.create<LedgerRequest, UsageCursor | undefined, LedgerEvent>({
    name: 'ledger',
    entry: threadEntry('../threads/ledger', import.meta.url),
    data: task,
    running: 'always',
    stopWithinMs,
    onEvent: event => {
      if ('folded' in event) listener.onFolded(event.folded)
      else if ('shippingError' in event) listener.onShippingError(event.shippingError)
      else if ('requestLogError' in event) listener.onRequestLogError(event.requestLogError)
      else if ('foldError' in event) listener.onFoldError(event.foldError)
      else listener.onRound(event)
    },
  })
