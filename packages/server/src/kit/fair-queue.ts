import { ThreadUnavailable } from './thread-unavailable.ts'

/** A caller that may wait in a queue. */
export interface QueueCaller {
  /** Callers of the same subject share one place in the rotation. */
  readonly subject: string
  /** Returns true if nobody waits for the result any more. */
  isGone(): boolean
}

/** Bounds of a queue. */
export interface QueueBounds {
  /** Maximum number of jobs that run at the same time. */
  readonly running: number
  /** Maximum number of jobs that wait. */
  readonly waiting: number
  /** Maximum number of jobs of one subject that wait. */
  readonly waitingPerSubject: number
}

interface Job {
  readonly caller: QueueCaller
  readonly start: () => void
  readonly drop: (error: Error) => void
}

/** Time after which the caller of a refused job may retry, in milliseconds; most jobs take a few milliseconds. */
const retryMs = 1000

/**
 * A bounded queue of asynchronous jobs in which subjects take turns: the next job is the oldest one of the subject that
 * has waited longest since its last turn. Jobs whose callers are gone do not start.
 */
export class FairQueue {
  readonly #bounds: QueueBounds
  /** Waiting jobs by subject; the first subject is next. */
  readonly #jobs = new Map<string, Job[]>()
  #running = 0
  #waiting = 0
  #refusedTotal = 0

  constructor(bounds: QueueBounds) {
    this.#bounds = bounds
  }

  /** Number of jobs that wait. */
  get waiting(): number {
    return this.#waiting
  }

  /** Number of jobs that were refused because the queue, or their subject's share of it, was full. */
  get refusedTotal(): number {
    return this.#refusedTotal
  }

  /**
   * Runs a job in its turn. Rejects with ThreadUnavailable if the queue is full, or if the caller is gone before the
   * turn.
   */
  run<Result>(caller: QueueCaller, job: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.#bounds.running) return this.#begin(job)
    if (this.#isFull(caller.subject)) this.#dropGone()
    if (this.#isFull(caller.subject)) {
      this.#refusedTotal++
      return Promise.reject(new ThreadUnavailable('Too many jobs are waiting.', retryMs))
    }
    return new Promise((resolve, reject) => {
      this.#add({ caller, start: () => this.#begin(job).then(resolve, reject), drop: reject })
    })
  }

  #isFull(subject: string): boolean {
    const own = this.#jobs.get(subject)?.length ?? 0
    return this.#waiting >= this.#bounds.waiting || own >= this.#bounds.waitingPerSubject
  }

  #add(job: Job): void {
    const own = this.#jobs.get(job.caller.subject)
    if (own) own.push(job)
    else this.#jobs.set(job.caller.subject, [job])
    this.#waiting++
  }

  #dropGone(): void {
    for (const [subject, own] of this.#jobs) {
      const kept = own.filter(job => !this.#isDropped(job))
      if (kept.length > 0) this.#jobs.set(subject, kept)
      else this.#jobs.delete(subject)
      this.#waiting -= own.length - kept.length
    }
  }

  #isDropped({ caller, drop }: Job): boolean {
    const isGone = caller.isGone()
    if (isGone) drop(new ThreadUnavailable('The caller is gone.', retryMs))
    return isGone
  }

  async #begin<Result>(job: () => Promise<Result>): Promise<Result> {
    this.#running++
    try {
      return await job()
    } finally {
      this.#running--
      this.#startNext()
    }
  }

  #startNext(): void {
    for (const [subject, own] of this.#jobs) {
      this.#jobs.delete(subject)
      const job = own.shift()!
      this.#waiting--
      // The subject's next turn comes after those of all others that wait.
      if (own.length > 0) this.#jobs.set(subject, own)
      if (this.#isDropped(job)) continue
      job.start()
      return
    }
  }
}
