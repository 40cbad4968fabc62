import { Thread, type ThreadDeath, type ThreadOptions, type ThreadStatus } from './thread.ts'

/** The threads of a process. Creates them and reports their state for metrics and notes. */
export class Threads {
  readonly #onDeath: (death: ThreadDeath) => void
  readonly #threads = new Set<{ readonly isStopped: boolean; status(): ThreadStatus }>()

  /** `onDeath` is called after each unexpected end of a thread. */
  constructor(onDeath: (death: ThreadDeath) => void = () => {}) {
    this.#onDeath = onDeath
  }

  /** Creates a thread. The caller must stop it. */
  create<Request = never, Result = never, Event = never>(
    options: ThreadOptions<Event>,
  ): Thread<Request, Result, Event> {
    const thread = new Thread<Request, Result, Event>(options, this.#onDeath)
    this.#threads.add(thread)
    return thread
  }

  /** Returns the current state of each thread that was not stopped. */
  statuses(): ThreadStatus[] {
    for (const thread of this.#threads) if (thread.isStopped) this.#threads.delete(thread)
    return [...this.#threads].map(thread => thread.status())
  }

  /**
   * Returns a user-facing message for each thread that ended unexpectedly in the last minute or waits for its restart.
   */
  notes(): string[] {
    return this.statuses()
      .filter(({ failures }) => failures > 0)
      .map(({ name, up, failures }) => {
        const times = failures === 1 ? 'once' : `${failures} times in a row`
        const state = up ? 'It has been restarted' : 'It will be restarted'
        return `The ${name} thread has ended unexpectedly ${times}. ${state}; the log has the reason.`
      })
  }
}
