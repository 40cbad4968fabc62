import type { Candidate, ProcessTerms, Standing } from '../domain/processes.ts'
import { NewerSchema } from '../domain/store-errors.ts'
import type { Logger } from '../kit/log.ts'
import { repeat } from '../kit/repeat.ts'

/** Interval between two looks at the election, in milliseconds. */
const checkEveryMs = 1000

/** Dependencies of the election. */
export interface ElectionParts {
  readonly join: () => Promise<Candidate>
  /** Starts the work of the worker. */
  readonly start: () => { stop(): Promise<void> }
  /** Called when a newer release has removed what this one needs: the process must end. */
  readonly onRefused: (error: NewerSchema) => void
  readonly log: Logger
}

/** State of this process in the election; `cut off`: the database cannot be reached. */
export type ElectionState = 'starting' | 'elected' | 'waiting' | 'cut off'

/** The part that a process takes in the election of the worker: it works while it is elected. */
export interface Election {
  readonly state: ElectionState
  /** The worker while this process waits; undefined if it does not, or no process is elected. */
  readonly worker: Pick<ProcessTerms, 'role' | 'name'> | undefined
  /** Ends the work, and then the term. */
  stop(): Promise<void>
}

/** Takes part in the election until `stop`. */
export function startElection(parts: ElectionParts): Election {
  const running = new RunningElection(parts)
  const rounds = repeat(() => running.look(), { everyMs: checkEveryMs, onError: error => running.fail(error) })
  return {
    get state() {
      return running.state
    },
    get worker() {
      return running.worker
    },
    stop: async () => {
      await rounds.stop()
      await running.end()
    },
  }
}

class RunningElection {
  state: ElectionState = 'starting'
  worker: Election['worker']
  readonly #parts: ElectionParts
  #candidate: Candidate | undefined
  #work: { stop(): Promise<void> } | undefined
  #isRefused = false

  constructor(parts: ElectionParts) {
    this.#parts = parts
  }

  /** Looks at the election, and starts or ends the work. */
  async look(): Promise<void> {
    if (this.#isRefused) return
    try {
      this.#candidate ??= await this.#parts.join()
      await this.#follow(await this.#candidate.check())
    } catch (error) {
      // The term has ended with the connection: another process may be the worker already.
      await this.end()
      throw error
    }
  }

  /** Notes that the database cannot be reached, and logs it once, or that it refuses this release. */
  fail(error: unknown): void {
    const { log, onRefused } = this.#parts
    this.#isRefused = error instanceof NewerSchema
    if (error instanceof NewerSchema) onRefused(error)
    else if (this.state !== 'cut off')
      log.warn({ err: error }, 'Lost the connection of the election of the worker; will retry every second.')
    this.#enter('cut off', undefined)
  }

  /** Ends the work, and the candidacy. */
  async end(): Promise<void> {
    const [work, candidate] = [this.#work, this.#candidate]
    this.#work = undefined
    this.#candidate = undefined
    await work?.stop()
    await candidate?.close()
  }

  async #follow(standing: Standing): Promise<void> {
    if (standing.state === 'elected') {
      this.#work ??= this.#parts.start()
      return this.#enter('elected', undefined)
    }
    if (standing.state === 'waiting') return this.#enter('waiting', standing.worker)
    await this.#work?.stop()
    this.#work = undefined
    await this.#candidate?.resign()
    this.#enter('waiting', undefined)
  }

  #enter(state: ElectionState, worker: Election['worker']): void {
    const { log } = this.#parts
    const isNew = state !== this.state || worker?.name !== this.worker?.name
    this.state = state
    this.worker = worker
    if (isNew && state === 'elected') log.info('Elected: this process is the worker.')
    if (isNew && state === 'waiting' && worker) log.info({ worker: worker.name }, 'Standing by for the worker.')
  }
}
