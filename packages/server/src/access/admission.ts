import { type BucketTable, promiseOf, type Tables } from './bucket-table.ts'
import { waitOf } from './gcra.ts'
import { wholeSeconds } from './limit-headers.ts'
import type { BucketPolicy } from './limit-policy.ts'
import { type Refusal, refusal } from './refusal.ts'
import { windowLeftUs } from './window.ts'

/** A call that was let in and has spent its rate token; its units follow when they are known. */
export interface Admission {
  readonly refused?: never
  /**
   * Takes the units from every quota, or from none and says why. One step, without an await; a second charge
   * of the same call answers as the first did and takes nothing.
   */
  charge(units: number, nowUs: number): Refusal | undefined
  /** Gives the units back when their record could not be written: what is not in the journal was not used. */
  release(): void
}

/** A window that units were charged to. */
interface Charged {
  readonly table: BucketTable
  readonly windowStartMs: number
}

export class AdmittedCall implements Admission {
  readonly #subject: string
  readonly #policies: readonly BucketPolicy[]
  readonly #tables: Tables
  #outcome: Refusal | undefined | 'not charged' = 'not charged'
  #units = 0
  #charged: Charged[] = []

  constructor(subject: string, policies: readonly BucketPolicy[], tables: Tables) {
    this.#subject = subject
    this.#policies = policies
    this.#tables = tables
  }

  charge(units: number, nowUs: number): Refusal | undefined {
    if (this.#outcome !== 'not charged') return this.#outcome
    const full = units === 0 ? [] : this.#policies.filter(policy => !this.#fits(policy, units))
    this.#outcome = full.length === 0 ? undefined : this.#tooMany(full, units, nowUs)
    if (full.length === 0) this.#take(units)
    return this.#outcome
  }

  release(): void {
    for (const { table, windowStartMs } of this.#charged) {
      const slot = table.find(this.#subject)
      if (table.windowStartMs(slot) === windowStartMs)
        table.setWindow(slot, windowStartMs, table.used(slot) - this.#units)
    }
    this.#charged = []
  }

  /** The window is the one of the admission, or a newer one that another call has opened since. */
  #fits({ bucket, quota }: BucketPolicy, units: number): boolean {
    const table = this.#tables[bucket]
    return table.used(table.find(this.#subject)) + units <= quota
  }

  #take(units: number): void {
    if (units === 0) return
    this.#units = units
    for (const { bucket } of this.#policies) {
      const table = this.#tables[bucket]
      const slot = table.find(this.#subject)
      const windowStartMs = table.windowStartMs(slot)
      table.setWindow(slot, windowStartMs, table.used(slot) + units)
      this.#charged.push({ table, windowStartMs })
    }
  }

  /** The next try needs a rate token, and room in every window. It starts no episode. */
  #tooMany(full: readonly BucketPolicy[], units: number, nowUs: number): Refusal {
    const waitsUs = this.#policies.map(policy => {
      const table = this.#tables[policy.bucket]
      const slot = table.find(this.#subject)
      const windowUs = full.includes(policy) ? windowLeftUs(table.windowStartMs(slot), nowUs) : 0
      const rateUs = waitOf(table.tatUs(slot), nowUs, policy.intervalUs, policy.burst)
      return Math.max(windowUs, rateUs, promiseOf(table, slot) - nowUs)
    })
    const names = full.map(policy => policy.dailyName)
    const never = full.some(policy => units > policy.quota)
    return refusal(names, never ? undefined : Math.max(1, wholeSeconds(Math.max(...waitsUs))))
  }
}
