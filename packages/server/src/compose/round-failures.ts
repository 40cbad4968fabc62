import type { WorkerRoundEvent } from './worker-rounds.ts'

/** Time for which the failure of a job is shown, in milliseconds: the slowest rounds but those of an hour. */
const shownMs = 600_000

/** The failures of the rounds of the worker, for its readiness. */
export class RoundFailures {
  readonly #nowMs: () => number
  readonly #lastMs = new Map<string, number>()

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  /** Notes an event of the rounds if it is a failure. */
  readonly add = (event: WorkerRoundEvent): void => {
    const job = jobOf(event)
    if (job !== undefined) this.#lastMs.set(job, this.#nowMs())
  }

  /** Returns a message for operators for each job that has failed within ten minutes. */
  notes(): string[] {
    const sinceMs = this.#nowMs() - shownMs
    return [...this.#lastMs]
      .filter(([, atMs]) => atMs >= sinceMs)
      .map(([job, atMs]) => `${job} failed at ${new Date(atMs).toISOString()}. It is repeated; the log has the reason.`)
  }
}

/** Returns the name of the job that an event reports a failure of; undefined for any other event. */
function jobOf(event: WorkerRoundEvent): string | undefined {
  if ('maintenanceError' in event) return 'The maintenance of the stores'
  if ('exportFailure' in event || 'exportError' in event) return 'The export of usage'
  return 'eventError' in event ? 'Adding events' : undefined
}
