import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Folded } from '../usage/journal-lag.ts'

/** What the book keeper works on. */
export interface BookKeeperTask {
  /** Path of control.sqlite. */
  readonly control: string
  /** The journal's folder. */
  readonly journal: string
  readonly keepMs: number
  readonly maxBytes: number
  /** Path of data.sqlite, which is cleaned after erasures, and of the lock that imports hold. */
  readonly data: string
  readonly importLock: string
}

// The worker has the extension of this file: .ts in the repository, .js when compiled.
const entry = new URL(import.meta.url.replace('book-keeper-client', 'book-keeper'))

/** What the book keeper says. */
export type BookKeeperMessage = { readonly error: string } | { readonly folded: Folded }

export interface BookKeeperListener {
  /** Told of every failure, after which it is tried again. */
  onError(error: unknown): void
  onFolded(round: Folded): void
}

/** Starts the book keeper. */
export function startBookKeeper(task: BookKeeperTask, listener: BookKeeperListener): { stop(): Promise<void> } {
  const { onError, onFolded } = listener
  const worker = new Worker(entry, { workerData: task })
  worker.on('message', (message: BookKeeperMessage) => {
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
