import type { WorkerRoundEvent } from './worker-rounds.ts'

/** Time for which the failure of a job is shown, in milliseconds: the slowest rounds but those of an hour. */
const shownMs = 600_000

/** A job that is repeated after a failure, as notes name it. */
export type RepeatedJob =
  | 'The maintenance of the stores'
  | 'The export of usage'
  | 'Adding events'
  | 'The delivery of events'
  | 'Building feeds'
  | 'A sync'
  | 'Sharing the search index'

/** The failures of the jobs of a worker, for its readiness. */
export class JobFailures {
  readonly #nowMs: () => number
  readonly #lastMs = new Map<RepeatedJob, number>()

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  readonly add = (job: RepeatedJob): void => void this.#lastMs.set(job, this.#nowMs())

  /** Notes an event of the rounds if it is a failure. */
  addRound(event: WorkerRoundEvent): void {
    const job = jobOf(event)
    if (job !== undefined) this.add(job)
  }

  /** Returns a message for operators for each job that has failed within ten minutes. */
  notes(): string[] {
    const sinceMs = this.#nowMs() - shownMs
    return [...this.#lastMs]
      .filter(([, atMs]) => atMs >= sinceMs)
      .map(([job, atMs]) => `${job} failed at ${new Date(atMs).toISOString()}. It is repeated; the log has the reason.`)
  }
}

/** Returns the job that an event reports a failure of; undefined for any other event. */
function jobOf(event: WorkerRoundEvent): RepeatedJob | undefined {
  if ('maintenanceError' in event) return 'The maintenance of the stores'
  if ('exportFailure' in event || 'exportError' in event) return 'The export of usage'
  return 'eventError' in event ? 'Adding events' : undefined
}
