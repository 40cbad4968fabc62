import { type BucketStates, getPromiseUs, type Tables } from './bucket-table.ts'
import { computeWaitUs } from './gcra.ts'
import { ceilSeconds } from './limit-headers.ts'
import type { BucketPolicy } from './limit-policy.ts'
import { createRefusal, type Refusal } from './refusal.ts'
import { windowLeftUs } from './window.ts'

/** A call that was admitted and has spent its rate token; its units are charged once they are known. */
export interface Admission {
  readonly refused?: never
  /** The theoretical arrival time in the bucket of each policy right after this call, without later calls. */
  readonly tatsUs: readonly number[]
  /**
   * Charges the units to every quota. If a quota is not sufficient, charges none and returns the refusal. One
   * synchronous step. Idempotent: a second charge of the same call returns the first result.
   */
  charge(units: number, nowUs: number): Refusal | undefined
  /**
   * Refunds the units. Call it if their record could not be written: usage that is not in the journal does not count.
   */
  release(): void
}

/** A window to which units were charged. */
interface ChargedWindow {
  readonly table: BucketStates
  readonly windowStartMs: number
}

/** An admission that charges bucket tables in memory. */
export class AdmittedCall implements Admission {
  readonly tatsUs: readonly number[]
  readonly #subject: string
  readonly #policies: readonly BucketPolicy[]
  readonly #tables: Tables
  #outcome: Refusal | undefined | 'not charged' = 'not charged'
  #units = 0
  #charged: ChargedWindow[] = []

  constructor(subject: string, policies: readonly BucketPolicy[], tables: Tables, tatsUs: readonly number[]) {
    this.tatsUs = tatsUs
    this.#subject = subject
    this.#policies = policies
    this.#tables = tables
  }

  charge(units: number, nowUs: number): Refusal | undefined {
    if (this.#outcome !== 'not charged') return this.#outcome
    const exceeded = units === 0 ? [] : this.#policies.filter(policy => !this.#fits(policy, units))
    this.#outcome = exceeded.length === 0 ? undefined : this.#refuse(exceeded, units, nowUs)
    if (exceeded.length === 0) this.#add(units)
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

  /** Checks the current window, which is newer than the admission if another call has opened one since. */
  #fits({ bucket, quota }: BucketPolicy, units: number): boolean {
    return this.#used(bucket) + units <= quota
  }

  #unitsLeft({ bucket, quota }: BucketPolicy): number {
    return Math.max(0, quota - this.#used(bucket))
  }

  #used(bucket: BucketPolicy['bucket']): number {
    const table = this.#tables[bucket]
    return table.used(table.find(this.#subject))
  }

  #add(units: number): void {
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

  /**
   * Refuses the units. The next attempt needs a rate token and sufficient quota in every window. Starts no episode
   * (R-10).
   */
  #refuse(exceeded: readonly BucketPolicy[], units: number, nowUs: number): Refusal {
    const waitsUs = this.#policies.map(policy => {
      const table = this.#tables[policy.bucket]
      const slot = table.find(this.#subject)
      const windowUs = exceeded.includes(policy) ? windowLeftUs(table.windowStartMs(slot), nowUs) : 0
      if (!policy.spendsRate) return windowUs
      const rateUs = computeWaitUs(table.tatUs(slot), nowUs, policy.intervalUs, policy.burst)
      return Math.max(windowUs, rateUs, getPromiseUs(table, slot) - nowUs)
    })
    const refusing = exceeded.map(policy => ({ policy, reason: { unitsLeft: this.#unitsLeft(policy) } }))
    const never = exceeded.some(policy => units > policy.quota)
    return createRefusal(refusing, units, never ? undefined : Math.max(1, ceilSeconds(Math.max(...waitsUs))))
  }
}
