import { type LimitStates, StatesUnavailable } from '../../domain/limit-states.ts'
import type { Scheduler } from './scheduler.ts'

export interface LineParts {
  readonly states: Pick<LimitStates, 'clockUs' | 'get' | 'swap'>
  readonly scheduler: Scheduler
  /** Returns the wall clock of this machine, in milliseconds since 1970. */
  readonly nowMs: () => number
  /** Returns the clock of the store, in microseconds since 1970. */
  readonly storeClockUs: () => Promise<number>
  /** Called when a cold cluster starts its line, with the distances of the clocks from it, in microseconds. */
  readonly onStart?: (off: Readonly<Record<'node' | 'cache' | 'store', number>>) => void
}

/** Subject under which the shift is kept. */
const subject = 'line'
const firstTrips = 5
/** Speed at which a line is corrected: microseconds per microsecond. */
const slewRate = 0.0005
/** Distance from which on a difference is a step of a clock, in microseconds, and the trips that confirm it. */
const stepUs = 100_000
const confirmingTrips = 3

/**
 * The time on which all nodes decide, in microseconds since 1970: the clock of the cache plus a shift that is kept in
 * the cache together with its identity. A node follows it with its monotonic clock, and never goes back. A new life of
 * the cache gets a shift with which the line of a running node continues.
 */
export class Line {
  readonly #parts: LineParts
  /** The line minus the monotonic clock. */
  #offsetUs: number
  #targetUs: number
  #lastMonotonicUs: number
  #lastUs = 0
  /** Identity and shift of the cache that the line follows. */
  #identity: string | undefined
  #shiftUs = 0
  /** Differences of the last trips that were steps. */
  #steps: number[] = []

  constructor(parts: LineParts) {
    this.#parts = parts
    const monotonicUs = parts.scheduler.monotonicUs()
    this.#offsetUs = parts.nowMs() * 1000 - monotonicUs
    this.#targetUs = this.#offsetUs
    this.#lastMonotonicUs = monotonicUs
  }

  /** Returns the time on the line, which never goes back. */
  nowUs(): number {
    const monotonicUs = this.#parts.scheduler.monotonicUs()
    const maxUs = (monotonicUs - this.#lastMonotonicUs) * slewRate
    const differenceUs = this.#targetUs - this.#offsetUs
    this.#offsetUs += Math.max(-maxUs, Math.min(maxUs, differenceUs))
    this.#lastMonotonicUs = monotonicUs
    this.#lastUs = Math.max(this.#lastUs, Math.floor(monotonicUs + this.#offsetUs))
    return this.#lastUs
  }

  /** Distance of this node from the line that the cache shows, in microseconds. */
  get offsetUs(): number {
    return this.#targetUs - this.#offsetUs
  }

  /** The step of a clock that three trips have confirmed; 0 without one. */
  get confirmedStepUs(): number {
    return this.#steps.length < confirmingTrips ? 0 : this.#steps.at(-1)!
  }

  /** Follows the cache of an identity. The line of a node that has followed another one continues. */
  async follow(identity: string): Promise<void> {
    if (this.#identity === identity && this.confirmedStepUs === 0) return
    const isRunning = this.#identity !== undefined && this.#identity !== identity
    // Nothing was decided on the wall clock of this machine.
    if (this.#identity === undefined) this.#lastUs = 0
    const { offsetUs } = await this.#measure(firstTrips)
    const shiftUs = await this.#findShift(identity, offsetUs, isRunning)
    this.#identity = identity
    this.#shiftUs = shiftUs
    this.#targetUs = offsetUs + shiftUs
    this.#steps = []
    // A running line is corrected slowly, unless this node itself was stopped.
    if (!isRunning || Math.abs(this.offsetUs) > stepUs) this.#offsetUs = this.#targetUs
  }

  /**
   * Makes a trip. When more than half of the live nodes see the same step, the clock of the cache was set: the shift
   * takes it up. `others`: steps that the other live nodes have confirmed. Returns false if this node alone sees one: it
   * was stopped, and must follow the line again.
   */
  async correct(others: readonly number[]): Promise<boolean> {
    if (this.#identity === undefined) return true
    await this.#readShift()
    const { offsetUs } = await this.#measure(1)
    const differenceUs = offsetUs + this.#shiftUs - this.#offsetUs
    if (Math.abs(differenceUs) <= stepUs) {
      this.#targetUs = offsetUs + this.#shiftUs
      this.#steps = []
      return true
    }
    this.#steps.push(differenceUs)
    const isSame = (other: number) => Math.abs(other - differenceUs) <= stepUs
    const seeing = 1 + others.filter(isSame).length
    if (this.confirmedStepUs === 0) return true
    if (seeing * 2 <= others.length + 1) return this.#steps.length < 2 * confirmingTrips
    await this.#writeShift(this.#shiftUs - Math.round(differenceUs))
    this.#steps = []
    return true
  }

  /** Returns the clock of the cache minus the monotonic clock, from the fastest of some trips. */
  async #measure(trips: number): Promise<{ readonly offsetUs: number }> {
    const { states, scheduler } = this.#parts
    let [offsetUs, shortestUs] = [0, Number.POSITIVE_INFINITY]
    for (let i = 0; i < trips; i++) {
      const sentUs = scheduler.monotonicUs()
      const clockUs = await states.clockUs()
      const tripUs = scheduler.monotonicUs() - sentUs
      if (tripUs >= shortestUs) continue
      shortestUs = tripUs
      offsetUs = clockUs - (sentUs + tripUs / 2)
    }
    return { offsetUs }
  }

  /** Returns the shift that the cache has for its identity; decides it if it has none. */
  async #findShift(identity: string, offsetUs: number, isRunning: boolean): Promise<number> {
    const { states } = this.#parts
    const [found] = await states.get([subject])
    const known = readShift(found, identity)
    if (known !== undefined) return known
    const clockUs = this.#parts.scheduler.monotonicUs() + offsetUs
    const startUs = isRunning ? this.nowUs() : await this.#chooseStart(clockUs)
    const next = `${identity}|${Math.round(startUs - clockUs)}`
    const { was } = await states.swap([{ subject, expected: found, next }])
    const decided = readShift(was[0] === found ? next : was[0], identity)
    if (decided === undefined) throw new StatesUnavailable('The cache has another identity.')
    return decided
  }

  /** Returns the median of the clocks of node, cache and store. */
  async #chooseStart(cacheUs: number): Promise<number> {
    const nodeUs = this.#parts.nowMs() * 1000
    const storeUs = await this.#parts.storeClockUs()
    const median = [nodeUs, cacheUs, storeUs].sort((a, b) => a - b)[1]!
    this.#parts.onStart?.({ node: nodeUs - median, cache: cacheUs - median, store: storeUs - median })
    return median
  }

  /** Takes up a shift that another node has changed. */
  async #readShift(): Promise<void> {
    const [text] = await this.#parts.states.get([subject])
    this.#shiftUs = readShift(text, this.#identity!) ?? this.#shiftUs
  }

  async #writeShift(shiftUs: number): Promise<void> {
    const [expected, next] = [this.#shiftUs, shiftUs].map(us => `${this.#identity}|${us}`) as [string, string]
    const { was } = await this.#parts.states.swap([{ subject, expected, next }])
    this.#shiftUs = readShift(was[0] === expected ? next : was[0], this.#identity!) ?? shiftUs
  }
}

/** Returns the shift of a text; undefined if it is of another identity. */
function readShift(text: string | undefined, identity: string): number | undefined {
  const at = text?.lastIndexOf('|') ?? -1
  return text === undefined || at < 0 || text.slice(0, at) !== identity ? undefined : Number(text.slice(at + 1))
}
