import { allocateTable, SharedTable, type SharedTableMemory } from './shared-table.ts'

/** Counts by name of what is held at the moment, such as connections; a name without a count has 0. */
export interface HeldCounts {
  get(name: string): number
  /** Adds an amount, which is negative when something is no longer held. */
  add(name: string, amount: number): void
  /** Adds 1 if the count is less than `max`; returns true if it did. */
  addBelow(name: string, max: number): boolean
}

/** Counts of the calling thread. */
export class LocalCounts implements HeldCounts {
  readonly #counts = new Map<string, number>()

  get(name: string): number {
    return this.#counts.get(name) ?? 0
  }

  add(name: string, amount: number): void {
    const count = this.get(name) + amount
    if (count === 0) this.#counts.delete(name)
    else this.#counts.set(name, count)
  }

  addBelow(name: string, max: number): boolean {
    if (this.get(name) >= max) return false
    this.add(name, 1)
    return true
  }
}

/** Returns memory for the counts of some threads. */
export const allocateCounts = (threads: number): SharedTableMemory =>
  allocateTable({ stripes: 256, slotsPerStripe: 512, columns: threads })

/** Counts of all threads; each thread has a column, which is released when it ends. */
export class SharedCounts implements HeldCounts {
  readonly #table: SharedTable
  readonly #threads: number
  readonly #column: number

  /** `thread`: number of the calling thread, from 1. */
  constructor(memory: SharedTableMemory, thread: number) {
    this.#threads = memory.columns
    this.#column = thread - 1
    this.#table = new SharedTable(memory, thread, (slot, table) => this.#isIdle(slot, table))
  }

  get(name: string): number {
    return this.#table.exclusively(name, () => this.#sum(this.#table.find(name)))
  }

  add(name: string, amount: number): void {
    this.#table.exclusively(name, () => this.#add(name, amount))
  }

  addBelow(name: string, max: number): boolean {
    return this.#table.exclusively(name, () => {
      if (this.#sum(this.#table.find(name)) >= max) return false
      this.#add(name, 1)
      return true
    })
  }

  /** Releases what a thread held when it ended. */
  releaseFor(endedThread: number): void {
    this.#table.releaseLocks(endedThread)
    for (const slot of this.#table.usedSlots()) this.#table.values[this.#table.valueAt(slot) + endedThread - 1] = 0
  }

  #add(name: string, amount: number): void {
    if (amount < 0) this.#subtract(name, -amount)
    else this.#table.values[this.#valueAt(this.#table.findOrAdd(name))]! += amount
  }

  /** Subtracts from the slot of a name, and the rest, which was added while no slot was free, from the shared slot. */
  #subtract(name: string, amount: number): void {
    const { values } = this.#table
    const slot = this.#table.find(name)
    const own = slot < 0 ? 0 : Math.min(amount, values[this.#valueAt(slot)]!)
    if (own > 0) values[this.#valueAt(slot)]! -= own
    if (own < amount) values[this.#valueAt(this.#table.findShared(name))]! -= amount - own
  }

  #valueAt(slot: number): number {
    return this.#table.valueAt(slot) + this.#column
  }

  #sum(slot: number): number {
    if (slot < 0) return 0
    const at = this.#table.valueAt(slot)
    let sum = 0
    for (let i = 0; i < this.#threads; i++) sum += this.#table.values[at + i]!
    return sum
  }

  #isIdle(slot: number, table: SharedTable): boolean {
    const at = table.valueAt(slot)
    for (let i = 0; i < this.#threads; i++) if (table.values[at + i] !== 0) return false
    return true
  }
}
