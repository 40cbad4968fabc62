import type { LimitedBucket } from '../domain/limit-bucket.ts'
import { noEpisode, type Penalty } from './penalty.ts'
import { isWindowOpen } from './window.ts'

/** Layout of a slot. */
const columns = 3
const tatColumn = 0
const windowStartColumn = 1
const usedColumn = 2

const sweptPerNew = 2

/** The states of all subjects of one bucket, by slot. */
export interface BucketStates {
  /** Number of subjects with a state. */
  readonly size: number
  /** Returns the slot of a subject, or -1 if it has no state. A slot is valid until the next `findOrAdd`. */
  find(subject: string): number
  /** Returns the slot of a subject, or adds one with an idle state. */
  findOrAdd(subject: string, nowUs: number): number
  // Without a slot, all values are 0.
  tatUs(slot: number): number
  windowStartMs(slot: number): number
  used(slot: number): number
  penalty(slot: number): Penalty | undefined
  setTat(slot: number, tatUs: number): void
  setWindow(slot: number, startMs: number, units: number): void
  setPenalty(slot: number, penalty: Penalty | undefined): void
  /** Iterates over all subjects with their slots. */
  entries(): Iterable<[string, number]>
  /** Returns true if the state equals the state of a subject that never called. */
  isIdle(slot: number, nowUs: number): boolean
}

/**
 * The states of this process: 24 bytes in a flat array and a map entry each, because a million keys may
 * call in a day. Instead of a timer, each new subject advances a sweep by two entries. The sweep removes idle states
 * (bucket full, window over, no strike), which equal the state of a subject that never called.
 */
export class BucketTable implements BucketStates {
  readonly #slots = new Map<string, number>()
  readonly #penalties = new Map<number, Penalty>()
  readonly #free: number[] = []
  #next = 0
  #cells = new Float64Array(columns * 1024)
  #sweepCursor = this.#slots.entries()

  get size(): number {
    return this.#slots.size
  }

  find(subject: string): number {
    return this.#slots.get(subject) ?? -1
  }

  findOrAdd(subject: string, nowUs: number): number {
    const known = this.#slots.get(subject)
    if (known !== undefined) return known
    this.#sweep(nowUs)
    const slot = this.#free.pop() ?? this.#next++
    if ((slot + 1) * columns > this.#cells.length) this.#grow()
    this.#cells.fill(0, slot * columns, (slot + 1) * columns)
    this.#slots.set(subject, slot)
    return slot
  }

  tatUs(slot: number): number {
    return slot < 0 ? 0 : this.#cells[slot * columns + tatColumn]!
  }
  windowStartMs(slot: number): number {
    return slot < 0 ? 0 : this.#cells[slot * columns + windowStartColumn]!
  }
  used(slot: number): number {
    return slot < 0 ? 0 : this.#cells[slot * columns + usedColumn]!
  }
  penalty(slot: number): Penalty | undefined {
    return this.#penalties.size === 0 ? undefined : this.#penalties.get(slot)
  }

  setTat(slot: number, tatUs: number): void {
    this.#cells[slot * columns + tatColumn] = tatUs
  }
  setWindow(slot: number, startMs: number, units: number): void {
    this.#cells[slot * columns + windowStartColumn] = startMs
    this.#cells[slot * columns + usedColumn] = units
  }
  setPenalty(slot: number, penalty: Penalty | undefined): void {
    if (penalty) this.#penalties.set(slot, penalty)
    else this.#penalties.delete(slot)
  }

  entries(): IterableIterator<[string, number]> {
    return this.#slots.entries()
  }

  isIdle(slot: number, nowUs: number): boolean {
    return (
      this.tatUs(slot) <= nowUs && !isWindowOpen(this.windowStartMs(slot), nowUs / 1000) && !this.#penalties.has(slot)
    )
  }

  #sweep(nowUs: number): void {
    for (let i = 0; i < sweptPerNew; i++) {
      const at = this.#sweepCursor.next()
      if (at.done) {
        this.#sweepCursor = this.#slots.entries()
        return
      }
      const [subject, slot] = at.value
      if (!this.isIdle(slot, nowUs)) continue
      this.#slots.delete(subject)
      this.#free.push(slot)
    }
  }

  #grow(): void {
    const larger = new Float64Array(this.#cells.length * 2)
    larger.set(this.#cells)
    this.#cells = larger
  }
}

/** The table of each bucket. */
export type Tables = Readonly<Record<LimitedBucket, BucketStates>>

/**
 * Returns the promised time, after which only the bucket decides again, or `noEpisode` if there is no promise.
 */
export const getPromiseUs = (table: BucketStates, slot: number): number => table.penalty(slot)?.promiseUs ?? noEpisode
