import type { Engine } from '../domain/stores.ts'
import type { Logger } from '../kit/log.ts'
import { isOutage } from '../store/engine.ts'

/** Interval between attempts to use the database during an outage, in milliseconds. */
const probeEveryMs = 250
/** An outage has ended when nothing has failed for this long, in milliseconds. */
const quietMs = 1000

/** Dependencies that exist later than the log. */
interface OutageParts {
  readonly log: Logger
  readonly engine: Pick<Engine, 'keys'>
}

/**
 * Logs one line when the database can no longer be used, and one when it can again, instead of a line for each call and
 * each repeated attempt.
 */
export class OutageLog {
  #parts: OutageParts | undefined
  #sinceMs: number | undefined
  #lastMs = 0
  #timer: NodeJS.Timeout | undefined
  #isProbing = false

  start(parts: OutageParts): void {
    this.#parts = parts
  }

  /** Returns true for an error of an outage, which needs no line of its own. Before `start`, every error needs one. */
  readonly absorbs = (error: unknown): boolean => {
    if (!this.#parts || !isOutage(error)) return false
    this.#add(error as Error, this.#parts)
    return true
  }

  close(): void {
    this.#parts = undefined
    clearInterval(this.#timer)
  }

  #add({ message }: Error, parts: OutageParts): void {
    this.#lastMs = performance.now()
    if (this.#sinceMs !== undefined) return
    this.#sinceMs = this.#lastMs
    parts.log.error(`${message} Until it can be used, calls that need it are answered with 503.`)
    this.#timer = setInterval(() => void this.#probe(parts), probeEveryMs).unref()
  }

  async #probe(parts: OutageParts): Promise<void> {
    if (this.#isProbing) return
    this.#isProbing = true
    try {
      await parts.engine.keys.revision()
      if (performance.now() - this.#lastMs > quietMs) this.#end(parts)
    } catch (error) {
      this.absorbs(error)
    } finally {
      this.#isProbing = false
    }
  }

  #end({ log }: OutageParts): void {
    clearInterval(this.#timer)
    const seconds = Math.round((this.#lastMs - this.#sinceMs!) / 1000)
    this.#sinceMs = undefined
    log.info({ seconds }, 'The database can be used again.')
  }
}
