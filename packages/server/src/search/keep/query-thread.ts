import type { Thread } from '../../kit/thread.ts'
import { threadEntry } from '../../kit/thread-entry.ts'
import type { Threads } from '../../kit/threads.ts'
import { type IndexView, indexViewData } from '../index/index-view.ts'
import type { QueryTask, TaskRequest } from './worker.ts'

/** A thread that runs tasks over a view of the index; it knows the view that was sent last. */
export class QueryThread {
  readonly #thread: Thread<TaskRequest, unknown>
  /** The view that was sent last, and the start of the thread that it was sent to. */
  #sent: { readonly view: IndexView; readonly start: number } | undefined

  constructor(threads: Threads, name: string) {
    this.#thread = threads.create<TaskRequest, unknown>({
      name,
      entry: threadEntry('./worker', import.meta.url),
      running: 'on-request',
    })
  }

  /** Runs a task over a view; rejects when the task fails or the thread dies. */
  ask(task: QueryTask, view: IndexView): Promise<unknown> {
    this.#thread.start()
    const start = this.#thread.starts
    const isKnown = this.#sent?.view === view && this.#sent.start === start
    this.#sent = { view, start }
    return this.#thread.request({ task, ...(!isKnown && { view: indexViewData(view) }) })
  }

  stop(): Promise<void> {
    return this.#thread.stop()
  }
}
