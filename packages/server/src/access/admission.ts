import { type BucketTable, getPromiseUs, type Tables } from './bucket-table.ts'
import { computeWaitUs } from './gcra.ts'
import { ceilSeconds } from './limit-headers.ts'
import type { BucketPolicy } from './limit-policy.ts'
import { createRefusal, type Refusal } from './refusal.ts'
import { windowLeftUs } from './window.ts'

/** A call that was admitted and has spent its rate token; its units are charged once they are known. */
export interface Admission {
  readonly refused?: never
  /**
   * Charges the units to every quota, or to no quota and returns the refusal. One synchronous step. A second charge
   * of the same call returns the result of the first and charges nothing.
   */
  charge(units: number, nowUs: number): Refusal | undefined
  /** Returns the units when their record could not be written: usage that is not in the journal does not count. */
  release(): void
}

/** A window to which units were charged. */
interface Charged {
  readonly table: BucketTable
  readonly windowStartMs: number
}

/** The admission of a call by bucket tables in memory. */
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

  /** Compares with the window of the admission, or with a newer one that another call has opened since. */
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

  /** Refuses the units; the next attempt needs a rate token and room in every window. Starts no episode. */
  #tooMany(full: readonly BucketPolicy[], units: number, nowUs: number): Refusal {
    const waitsUs = this.#policies.map(policy => {
      const table = this.#tables[policy.bucket]
      const slot = table.find(this.#subject)
      const windowUs = full.includes(policy) ? windowLeftUs(table.windowStartMs(slot), nowUs) : 0
      const rateUs = computeWaitUs(table.tatUs(slot), nowUs, policy.intervalUs, policy.burst)
      return Math.max(windowUs, rateUs, getPromiseUs(table, slot) - nowUs)
    })
    const names = full.map(policy => policy.dailyName)
    const never = full.some(policy => units > policy.quota)
    return createRefusal(names, never ? undefined : Math.max(1, ceilSeconds(Math.max(...waitsUs))))
  }
}
