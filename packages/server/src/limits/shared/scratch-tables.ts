import type { BucketStates } from '../../access/bucket-table.ts'
import { noEpisode, type Penalty } from '../../access/penalty.ts'
import { isWindowOpen } from '../../access/window.ts'

/** The state of one subject in one bucket, loaded from a text for the rules of limits to work on. */
export class ScratchBucket implements BucketStates {
  #subject = ''
  #tatUs = 0
  #windowStartMs = 0
  #used = 0
  #penalty: Penalty | undefined

  /** Replaces the state by an idle one of a subject. */
  clear(subject: string): void {
    this.#subject = subject
    this.#tatUs = 0
    this.#windowStartMs = 0
    this.#used = 0
    this.#penalty = undefined
  }

  get size(): number {
    return this.#subject === '' ? 0 : 1
  }

  find(subject: string): number {
    return subject === this.#subject ? 0 : -1
  }
  findOrAdd(subject: string): number {
    if (subject !== this.#subject) throw new Error(`The state of ${subject} is not loaded.`)
    return 0
  }
  tatUs(): number {
    return this.#tatUs
  }
  windowStartMs(): number {
    return this.#windowStartMs
  }
  used(): number {
    return this.#used
  }
  penalty(): Penalty | undefined {
    return this.#penalty
  }

  setTat(_slot: number, tatUs: number): void {
    this.#tatUs = tatUs
  }
  setWindow(_slot: number, startMs: number, units: number): void {
    this.#windowStartMs = startMs
    this.#used = units
  }
  setPenalty(_slot: number, penalty: Penalty | undefined): void {
    this.#penalty = penalty
  }

  entries(): Iterable<[string, number]> {
    return this.#subject === '' ? [] : [[this.#subject, 0]]
  }

  isIdle(_slot: number, nowUs: number): boolean {
    return this.#tatUs <= nowUs && !isWindowOpen(this.#windowStartMs, nowUs / 1000) && !this.#penalty
  }

  /** Encodes the state; empty without a token, window and penalty. */
  encode(): string {
    const penalty = this.#penalty
    const part = `${this.#windowStartMs} ${this.#used} ${this.#tatUs}`
    if (penalty) {
      const { firstRefusalUs, promiseUs, strikes, struckUs } = penalty
      return `${part} ${firstRefusalUs} ${promiseUs} ${strikes} ${struckUs}`
    }
    return part === '0 0 0' ? '' : part
  }

  /** Loads what `encode` returned. Returns false if the text has another form. */
  load(subject: string, part: string): boolean {
    this.clear(subject)
    if (part === '') return true
    const numbers = part.split(' ').map(Number)
    if ((numbers.length !== 3 && numbers.length !== 7) || !numbers.every(Number.isSafeInteger)) return false
    const [windowStartMs, used, tatUs, firstRefusalUs, promiseUs = noEpisode, strikes, struckUs] = numbers
    this.#windowStartMs = windowStartMs!
    this.#used = used!
    this.#tatUs = tatUs!
    if (firstRefusalUs !== undefined)
      this.#penalty = { firstRefusalUs, promiseUs, strikes: strikes!, struckUs: struckUs! }
    return true
  }
}
