import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

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

/** Starts the book keeper; `onError` is told of every failure, after which it tries again. */
export function startBookKeeper(task: BookKeeperTask, onError: (error: unknown) => void): { stop(): Promise<void> } {
  const worker = new Worker(entry, { workerData: task })
  worker.on('message', onError)
  worker.on('error', onError)
  return {
    stop: async () => {
      const ended = once(worker, 'exit')
      worker.postMessage('stop')
      await ended
    },
  }
}
