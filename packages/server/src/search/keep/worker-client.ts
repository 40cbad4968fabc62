import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type IndexView, indexViewData } from '../index/index-view.ts'
import type { Reply, Request, Task } from './worker.ts'

// .ts inside the repository, .js once compiled.
const workerUrl = new URL(`./worker${extname(import.meta.url)}`, import.meta.url)

interface Waiting {
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: Error) => void
}

/** One worker thread, started when first asked and again after a crash; it does not keep the process alive. */
export class WorkerClient {
  #worker: Worker | undefined
  /** The view that the worker has. */
  #known: IndexView | undefined
  #next = 0
  readonly #waiting = new Map<number, Waiting>()

  /** Lets the worker do a task over a view; rejects when it fails or the worker dies. */
  ask(task: Task, view: IndexView): Promise<unknown> {
    const worker = this.#worker ?? this.#start()
    const number = this.#next++
    const request: Request = { number, task, ...(this.#known !== view && { view: indexViewData(view) }) }
    this.#known = view
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject })
      // Somebody waits, so the process lives until the answer is there.
      worker.ref()
      worker.postMessage(request)
    })
  }

  async close(): Promise<void> {
    const worker = this.#worker
    this.#fail(new Error('the search worker was closed'))
    await worker?.terminate()
  }

  #start(): Worker {
    const worker = new Worker(workerUrl)
    worker.unref()
    worker.on('message', (reply: Reply) => this.#settle(worker, reply))
    worker.on('error', error => this.#fail(error instanceof Error ? error : new Error(String(error))))
    worker.on('exit', () => {
      if (this.#worker === worker) this.#fail(new Error('the search worker stopped'))
    })
    this.#worker = worker
    return worker
  }

  #settle(worker: Worker, reply: Reply): void {
    const waiting = this.#waiting.get(reply.number)
    this.#waiting.delete(reply.number)
    if (this.#waiting.size === 0) worker.unref()
    if ('error' in reply) waiting?.reject(new Error(reply.error))
    else waiting?.resolve(reply.answer)
  }

  #fail(error: Error): void {
    this.#worker = undefined
    this.#known = undefined
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }
}
