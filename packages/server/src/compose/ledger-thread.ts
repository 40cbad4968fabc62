import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { EngineDescriptor } from '../domain/stores.ts'
import { threadEntry } from '../kit/thread-entry.ts'
import type { Folded } from '../usage/journal-lag.ts'

/** What the book keeper works on. */
export interface LedgerTask {
  readonly engine: EngineDescriptor
  /** The journal's folder. */
  readonly journal: string
  readonly keepMs: number
  readonly maxBytes: number
}

const entry = threadEntry('../threads/ledger', import.meta.url)

/** What the book keeper says. */
export type LedgerEvent = { readonly error: string } | { readonly folded: Folded }

export interface LedgerListener {
  /** Told of every failure, after which it is tried again. */
  onError(error: unknown): void
  onFolded(round: Folded): void
}

/** Starts the book keeper. */
export function startLedgerThread(task: LedgerTask, listener: LedgerListener): { stop(): Promise<void> } {
  const { onError, onFolded } = listener
  const worker = new Worker(entry, { workerData: task })
  worker.on('message', (message: LedgerEvent) => {
    if ('folded' in message) onFolded(message.folded)
    else onError(message.error)
  })
  worker.on('error', onError)
  return {
    stop: async () => {
      const ended = once(worker, 'exit')
      worker.postMessage('stop')
      await ended
    },
  }
}
