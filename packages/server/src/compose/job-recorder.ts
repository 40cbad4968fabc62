import type { Config } from '../config/load.ts'
import type { Actor } from '../domain/actor.ts'
import { type AdminFault, adminFault } from '../domain/admin-fault.ts'
import type { JobEnd, JobProgress, RunningJob } from '../domain/job.ts'
import type { JobKind } from '../domain/job-kind.ts'
import type { Engine } from '../domain/stores.ts'
import { systemClock } from '../kit/clock.ts'
import type { JsonObject } from '../kit/json.ts'
import { newJobId } from '../usecases/admin/new-job-id.ts'
import { openConfiguredEngine } from './engine.ts'

/**
 * Minimum time between two stored states of progress, and interval between checks for a cancellation, in milliseconds.
 */
const reportEveryMs = 1000
const checkEveryMs = 200

/** The work of this process as a job. */
export interface JobRecorder {
  /** Id of the job; undefined until it has begun. */
  readonly id: string | undefined
  /** The actor of a job that another process has added; otherwise the one of the command. */
  readonly actor: Actor
  /** True if another process has added the job. */
  readonly isStartedRemotely: boolean
  /** Aborted when a caller cancels the job. */
  readonly signal: AbortSignal
  /** Records that the job runs, unless that is recorded already. */
  begin(): Promise<void>
  /** Records the progress, at most once a second. */
  report(progress: JobProgress): void
  /** Records the end of a job that has begun. */
  end(end: JobEnd): Promise<void>
  /** Stops the checks and closes the stores. */
  close(): Promise<void>
}

/** The work to record. */
export interface JobDescription {
  readonly kind: JobKind
  readonly actor: Actor
  readonly request: JsonObject
  /** Id of a job that another process has added, and that this one runs. */
  readonly addedId: string | undefined
}

/**
 * Creates the recorder of a job in the existing data folder of `config`, so that the job can be seen and cancelled from
 * other processes. A job that another process has added starts at once, any other one with `begin`. Returns a fault if
 * an added job is no longer waiting.
 */
export async function createJobRecorder(
  config: Config,
  description: JobDescription,
): Promise<JobRecorder | AdminFault> {
  const recorder = new Recorder(config, description)
  const { addedId } = description
  if (addedId === undefined || (await recorder.take(addedId))) return recorder
  await recorder.close()
  return adminFault('job_not_waiting', [], { job: addedId })
}

class Recorder implements JobRecorder {
  readonly isStartedRemotely: boolean
  readonly #config: Config
  readonly #description: JobDescription
  readonly #controller = new AbortController()
  #engine: Engine | undefined
  #running: RunningJob | undefined
  #timer: NodeJS.Timeout | undefined
  #reportedMs = Number.NEGATIVE_INFINITY
  /** The last write; writes are in order. */
  #written: Promise<unknown> = Promise.resolve()

  constructor(config: Config, description: JobDescription) {
    this.#config = config
    this.#description = description
    this.isStartedRemotely = description.addedId !== undefined
  }

  get id(): string | undefined {
    return this.#running?.job.id
  }

  get actor(): Actor {
    return this.#running?.job.actor ?? this.#description.actor
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  async take(id: string): Promise<boolean> {
    this.#observe(await this.#open().jobs.take(id))
    await this.#check()
    return this.#running !== undefined
  }

  begin(): Promise<void> {
    return this.#write(async () => {
      if (this.#running) return
      const { kind, actor, request } = this.#description
      const createdMs = systemClock.nowMs()
      this.#observe(await this.#open().jobs.start({ id: newJobId(), kind, actor, request, createdMs }))
    })
  }

  report(progress: JobProgress): void {
    const nowMs = performance.now()
    if (nowMs - this.#reportedMs < reportEveryMs) return
    this.#reportedMs = nowMs
    // The end of the job is written in any case; a state of progress that is lost does no harm.
    this.#write(async () => this.#running?.report(progress)).catch(() => {})
  }

  async end(end: JobEnd): Promise<void> {
    clearInterval(this.#timer)
    await this.#write(async () => this.#running?.end(end))
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#written.catch(() => {})
    await this.#engine?.close()
  }

  #open(): Engine {
    this.#engine ??= openConfiguredEngine(this.#config, { create: false })
    return this.#engine
  }

  #observe(running: RunningJob | undefined): void {
    this.#running = running
    if (!running) return
    this.#timer = setInterval(() => void this.#check().catch(() => {}), checkEveryMs)
    this.#timer.unref()
  }

  async #check(): Promise<void> {
    if (await this.#running?.isCancelling()) this.#controller.abort()
  }

  #write<T>(work: () => Promise<T>): Promise<T> {
    const written = this.#written.then(work)
    this.#written = written.catch(() => {})
    return written
  }
}
