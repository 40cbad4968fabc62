import type { Random } from '../../../access/limits-walk.fixture.ts'

interface Event {
  readonly us: number
  readonly number: number
  readonly run: () => void
}

/** Steps of promises that follow an event before the next one; longer than any chain of them. */
const promiseSteps = 30

/** Virtual time: events run in the order of their times, each to the end of its promises. */
export class VirtualTime {
  readonly random: Random
  #nowUs = 0
  #events: Event[] = []
  #count = 0

  constructor(random: Random) {
    this.random = random
  }

  get nowUs(): number {
    return this.#nowUs
  }

  /** Returns a random integer from `min` to `max`. */
  between(min: number, max: number): number {
    return min + this.random(max - min + 1)
  }

  at(us: number, run: () => void): void {
    const event = { us: Math.max(us, this.#nowUs), number: this.#count++, run }
    const events = this.#events
    let at = events.push(event) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!isBefore(event, events[parent]!)) break
      events[at] = events[parent]!
      at = parent
    }
    events[at] = event
  }

  /** Runs the events up to a time. */
  async runUntil(us: number): Promise<void> {
    while (this.#events.length > 0 && this.#events[0]!.us <= us) {
      const { us: at, run } = this.#pop()
      this.#nowUs = at
      run()
      for (let i = 0; i < promiseSteps; i++) await undefined
    }
    this.#nowUs = us
  }

  #pop(): Event {
    const events = this.#events
    const first = events[0]!
    const last = events.pop()!
    if (events.length === 0) return first
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= events.length) break
      if (child + 1 < events.length && isBefore(events[child + 1]!, events[child]!)) child++
      if (!isBefore(events[child]!, last)) break
      events[at] = events[child]!
      at = child
    }
    events[at] = last
    return first
  }
}

const isBefore = (a: Event, b: Event): boolean => a.us < b.us || (a.us === b.us && a.number < b.number)
