import type { BucketStates } from '../../access/bucket-table.ts'
import { noEpisode, type Penalty } from '../../access/penalty.ts'
import { isWindowOpen } from '../../access/window.ts'

/** The state of one subject in one bucket. */
export interface BucketValue {
  readonly windowStartMs: number
  readonly used: number
  readonly tatUs: number
  readonly penalty?: Penalty | undefined
}

export const idleBucket: BucketValue = { windowStartMs: 0, used: 0, tatUs: 0, penalty: undefined }

/** Encodes a state; empty without a token, window and penalty. */
export function encodeBucket({ windowStartMs, used, tatUs, penalty }: BucketValue): string {
  const part = `${windowStartMs} ${used} ${tatUs}`
  if (penalty) {
    const { firstRefusalUs, promiseUs, strikes, struckUs } = penalty
    return `${part} ${firstRefusalUs} ${promiseUs} ${strikes} ${struckUs}`
  }
  return part === '0 0 0' ? '' : part
}

/** Reads what `encodeBucket` returned; undefined if the text has another form. */
export function parseBucket(part: string): BucketValue | undefined {
  if (part === '') return idleBucket
  const numbers = part.split(' ').map(Number)
  if ((numbers.length !== 3 && numbers.length !== 7) || !numbers.every(Number.isSafeInteger)) return undefined
  const [windowStartMs, used, tatUs, firstRefusalUs, promiseUs = noEpisode, strikes, struckUs] = numbers
  const penalty =
    firstRefusalUs === undefined ? undefined : { firstRefusalUs, promiseUs, strikes: strikes!, struckUs: struckUs! }
  return { windowStartMs: windowStartMs!, used: used!, tatUs: tatUs!, penalty }
}

/** The state of one subject in one bucket, loaded for the rules of limits to work on. */
export class ScratchBucket implements BucketStates {
  #subject = ''
  #tatUs = 0
  #windowStartMs = 0
  #used = 0
  #penalty: Penalty | undefined

  /** Replaces the state. */
  load(subject: string, { windowStartMs, used, tatUs, penalty }: BucketValue): void {
    this.#subject = subject
    this.#tatUs = tatUs
    this.#windowStartMs = windowStartMs
    this.#used = used
    this.#penalty = penalty
  }

  /** Returns the state as it is now. */
  value(): BucketValue {
    return { windowStartMs: this.#windowStartMs, used: this.#used, tatUs: this.#tatUs, penalty: this.#penalty }
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
}
