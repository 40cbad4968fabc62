import { type ResourceLimits, Worker } from 'node:worker_threads'
import { type BackoffPolicy, computeBackoffMs } from './backoff.ts'
import type { FromThread, ToThread } from './thread-messages.ts'
import { ThreadUnavailable } from './thread-unavailable.ts'
import { toError } from './to-error.ts'
import { waitAtMost } from './wait-at-most.ts'

/** The definition of a thread. Its entry file calls `runThread` or `serveRequests` (inside-thread.ts). */
export interface ThreadOptions<Event = never> {
  /** A short name for log lines, notes and metrics. */
  readonly name: string
  /** The entry file; see `threadEntry`. */
  readonly entry: URL
  /** Copied to the thread each time it starts. */
  readonly data?: unknown
  /** Default: a young generation of at most 16 MB, and the old generation that Node chooses. */
  readonly limits?: ResourceLimits
  /**
   * `always`: the thread starts immediately and restarts after each unexpected end. `on-request`: the first request
   * starts it, also after an unexpected end; an idle thread does not keep the process alive.
   */
  readonly running: 'always' | 'on-request'
  /**
   * Time that `stop` waits for the thread to finish its work before it terminates the thread, in milliseconds. Default:
   * 0.
   */
  readonly stopWithinMs?: number
  /** Called with each event of the thread. */
  readonly onEvent?: (event: Event) => void
  /** Called after each unexpected end. */
  readonly onEnd?: () => void
  /**
   * Returns true if an event proves that the thread works. Only such an event then resets the backoff; without this
   * function, a minute without an unexpected end resets it too.
   */
  readonly isSuccess?: (event: Event) => boolean
}

/** An unexpected end of a thread. */
export interface ThreadDeath {
  readonly thread: string
  readonly error: Error
  /** Number of consecutive unexpected ends, including this one. */
  readonly failures: number
  /** Milliseconds until the thread may start again. */
  readonly restartMs: number
}

/** The state of a thread. */
export interface ThreadStatus {
  readonly name: string
  /** False while the thread waits for its restart. */
  readonly up: boolean
  readonly restarts: number
  /** Number of consecutive unexpected ends; 0 after the thread has recovered and a minute has passed. */
  readonly failures: number
}

interface Pending<Result> {
  readonly resolve: (result: Result) => void
  readonly reject: (error: Error) => void
}

/** Delays of consecutive restarts after the first, which is immediate. */
/** Node's default for the young generation is 48 MB, which only threads that allocate much gain from. */
const defaultLimits: ResourceLimits = { maxYoungGenerationSizeMb: 16 }
const restartBackoff: BackoffPolicy = { firstMs: 1000, maxMs: 60_000 }
/** Time without an unexpected end after which a thread counts as recovered, in milliseconds. */
const settledAfterMs = 60_000
/** Maximum wait of `stop` for a thread that is in a system call, in milliseconds. */
const terminateWithinMs = 10_000

/** A worker thread that handles requests, sends events and is restarted if it dies. */
export class Thread<Request = never, Result = never, Event = never> {
  readonly #options: ThreadOptions<Event>
  readonly #onDeath: (death: ThreadDeath) => void
  readonly #pending = new Map<number, Pending<Result>>()
  #worker: Worker | undefined
  #nextNumber = 0
  #starts = 0
  /** Monotonic time of the last start or death. */
  #sinceMs = 0
  #failures = 0
  /** True when the thread has replied or reported a success since its last unexpected end. */
  #succeeded = false
  #restart: NodeJS.Timeout | undefined
  /** Monotonic time from which the thread may start again. */
  #restartAtMs = 0
  #stopped: Promise<void> | undefined

  constructor(options: ThreadOptions<Event>, onDeath: (death: ThreadDeath) => void = () => {}) {
    this.#options = options
    this.#onDeath = onDeath
    if (options.running === 'always') this.start()
  }

  /** Number of times the thread was started. */
  get starts(): number {
    return this.#starts
  }

  /** Milliseconds until the thread may start again after an unexpected end; 0 if it may start now. */
  get restartMs(): number {
    return this.#restart ? Math.max(0, this.#restartAtMs - performance.now()) : 0
  }

  /** True when the owner has stopped the thread. */
  get isStopped(): boolean {
    return this.#stopped !== undefined
  }

  /** Returns the current state of the thread. */
  status(): ThreadStatus {
    const { name, running } = this.#options
    const up = this.#worker !== undefined || (running === 'on-request' && !this.#restart)
    const failures = up && this.#isSettled() && this.#hasRecovered() ? 0 : this.#failures
    return { name, up, restarts: Math.max(0, this.#starts - 1), failures }
  }

  /** Starts the thread, unless it is running, waits for its restart or was stopped. */
  start(): void {
    if (this.#worker || this.#restart || this.#stopped) return
    const { name, entry, data, limits, running } = this.#options
    this.#starts++
    this.#sinceMs = performance.now()
    let worker: Worker
    try {
      worker = new Worker(entry, { name, workerData: data, resourceLimits: { ...defaultLimits, ...limits } })
    } catch (error) {
      // The system cannot create a thread now.
      this.#died(toError(error))
      return
    }
    this.#worker = worker
    let failure: Error | undefined
    worker.on('message', (message: FromThread) => {
      if (message.kind === 'event') this.#receive(message.event as Event)
      else this.#settle(message)
    })
    worker.on('error', error => {
      failure = toError(error)
    })
    worker.on('messageerror', error => {
      failure = error
      void worker.terminate()
    })
    worker.on('exit', code => {
      this.#worker = undefined
      this.#died(failure ?? new Error(`The ${name} thread ended with exit code ${code}.`))
    })
    if (running === 'on-request') worker.unref()
  }

  /**
   * Sends a request, and starts the thread if needed. Rejects with the error of the handler, with the error that ended
   * the thread if it dies, or with ThreadUnavailable if the thread is stopped or waits for its restart.
   */
  request(request: Request): Promise<Result> {
    this.start()
    const worker = this.#worker
    if (!worker || this.#stopped) return Promise.reject(this.#unavailable())
    const number = this.#nextNumber++
    return new Promise((resolve, reject) => {
      worker.postMessage({ kind: 'request', number, request } satisfies ToThread)
      this.#pending.set(number, { resolve, reject })
      worker.ref()
    })
  }

  #unavailable(): ThreadUnavailable {
    const retryMs = this.#stopped ? undefined : Math.max(0, this.#restartAtMs - performance.now())
    return new ThreadUnavailable(`The ${this.#options.name} thread is not running.`, retryMs)
  }

  /** Stops the thread permanently. Resolves when it has ended, or immediately if it is not running. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop()
    return this.#stopped
  }

  async #stop(): Promise<void> {
    clearTimeout(this.#restart)
    const worker = this.#worker
    if (!worker) return
    worker.ref()
    const { name, stopWithinMs = 0 } = this.#options
    if (stopWithinMs > 0) {
      worker.postMessage({ kind: 'stop' } satisfies ToThread)
      await waitAtMost(stopWithinMs, new Promise(resolve => worker.once('exit', resolve)))
    }
    await waitAtMost(terminateWithinMs, worker.terminate())
    this.#rejectPending(new ThreadUnavailable(`The ${name} thread was stopped.`))
  }

  #receive(event: Event): void {
    const { onEvent, isSuccess } = this.#options
    this.#succeeded ||= isSuccess?.(event) ?? false
    onEvent?.(event)
  }

  #settle(message: Exclude<FromThread, { kind: 'event' }>): void {
    const pending = this.#pending.get(message.number)
    this.#pending.delete(message.number)
    if (this.#pending.size === 0 && this.#options.running === 'on-request') this.#worker?.unref()
    if (message.kind === 'reply') {
      this.#succeeded = true
      pending?.resolve(message.result as Result)
    } else pending?.reject(Object.assign(new Error(message.message), { stack: message.stack }))
  }

  #died(error: Error): void {
    if (this.#stopped) return
    this.#failures = this.#hasRecovered() ? 1 : this.#failures + 1
    this.#succeeded = false
    this.#sinceMs = performance.now()
    const failures = this.#failures
    const restartMs = failures === 1 ? 0 : computeBackoffMs(failures - 1, restartBackoff)
    const { name, running } = this.#options
    this.#onDeath({ thread: name, error, failures, restartMs })
    this.#rejectPending(error)
    this.#options.onEnd?.()
    if (restartMs === 0 && running === 'on-request') return
    this.#restartAtMs = this.#sinceMs + restartMs
    this.#restart = setTimeout(() => {
      this.#restart = undefined
      if (running === 'always') this.start()
    }, restartMs)
    this.#restart.unref()
  }

  /** Returns true if the next unexpected end counts as the first again. */
  #hasRecovered(): boolean {
    return this.#succeeded || (!this.#options.isSuccess && this.#isSettled())
  }

  #isSettled(): boolean {
    return performance.now() - this.#sinceMs >= settledAfterMs
  }

  #rejectPending(error: Error): void {
    const pending = [...this.#pending.values()]
    this.#pending.clear()
    for (const { reject } of pending) reject(error)
  }
}
