import { forEachBucket, type LimitedBucket, limitBuckets } from '../domain/limit-bucket.ts'
import { allocateTable, SharedTable, type SharedTableMemory } from '../kit/shared-table.ts'
import type { BucketStates, Tables } from './bucket-table.ts'
import { noEpisode, type Penalty } from './penalty.ts'
import { isWindowOpen } from './window.ts'

/** Columns of the state of a bucket; a slot has those of all buckets, in the order of `limitBuckets`. */
const tatColumn = 0
const windowStartColumn = 1
const usedColumn = 2
const firstRefusalColumn = 3
const promiseColumn = 4
const strikesColumn = 5
const struckColumn = 6
const columnsPerBucket = 7

/**
 * Slots for a million subjects: a stripe then has 977 on average, and more than 1200 in one of 10^12 cases. The memory
 * of a slot is used when its subject calls.
 */
const subjects = { stripes: 1024, slotsPerStripe: 1280 }

/** Returns memory for the limit states of all subjects. */
export const allocateLimits = (size: Pick<SharedTableMemory, 'stripes' | 'slotsPerStripe'> = subjects) =>
  allocateTable({ ...size, columns: limitBuckets.length * columnsPerBucket })

/** The states of all subjects in one bucket, in memory that threads share. */
class SharedBucketTable implements BucketStates {
  readonly #table: SharedTable
  readonly #first: number
  readonly #setNow: (nowUs: number) => void

  constructor(table: SharedTable, bucket: LimitedBucket, setNow: (nowUs: number) => void) {
    this.#table = table
    this.#first = limitBuckets.indexOf(bucket) * columnsPerBucket
    this.#setNow = setNow
  }

  get size(): number {
    return [...this.#table.entries()].length
  }

  find(subject: string): number {
    return this.#table.find(subject)
  }

  findOrAdd(subject: string, nowUs: number): number {
    this.#setNow(nowUs)
    // A subject must not get a second quota when it leaves a slot that it had to share.
    return this.#table.findOrAdd(subject, true)
  }

  tatUs(slot: number): number {
    return slot < 0 ? 0 : this.#get(slot, tatColumn)
  }
  windowStartMs(slot: number): number {
    return slot < 0 ? 0 : this.#get(slot, windowStartColumn)
  }
  used(slot: number): number {
    return slot < 0 ? 0 : this.#get(slot, usedColumn)
  }
  penalty(slot: number): Penalty | undefined {
    if (slot < 0) return undefined
    const promiseUs = this.#get(slot, promiseColumn)
    const strikes = this.#get(slot, strikesColumn)
    if (promiseUs === noEpisode && strikes === 0) return undefined
    const firstRefusalUs = this.#get(slot, firstRefusalColumn)
    return { firstRefusalUs, promiseUs, strikes, struckUs: this.#get(slot, struckColumn) }
  }

  setTat(slot: number, tatUs: number): void {
    this.#set(slot, tatColumn, tatUs)
  }
  setWindow(slot: number, startMs: number, units: number): void {
    this.#set(slot, windowStartColumn, startMs)
    this.#set(slot, usedColumn, units)
  }
  setPenalty(slot: number, penalty: Penalty | undefined): void {
    this.#set(slot, firstRefusalColumn, penalty?.firstRefusalUs ?? 0)
    this.#set(slot, promiseColumn, penalty?.promiseUs ?? noEpisode)
    this.#set(slot, strikesColumn, penalty?.strikes ?? 0)
    this.#set(slot, struckColumn, penalty?.struckUs ?? 0)
  }

  entries(): Iterable<[string, number]> {
    return this.#table.entries()
  }

  isIdle(slot: number, nowUs: number): boolean {
    return (
      this.tatUs(slot) <= nowUs &&
      !isWindowOpen(this.windowStartMs(slot), nowUs / 1000) &&
      this.#get(slot, promiseColumn) === noEpisode &&
      this.#get(slot, strikesColumn) === 0
    )
  }

  #get(slot: number, column: number): number {
    return this.#table.values[this.#table.valueAt(slot) + this.#first + column]!
  }

  #set(slot: number, column: number, value: number): void {
    this.#table.values[this.#table.valueAt(slot) + this.#first + column] = value
  }
}

/** Opens the states of all subjects for a thread. */
export function openSharedTables(
  shared: SharedTableMemory,
  thread: number,
): { readonly table: SharedTable; readonly tables: Tables } {
  let nowUs = 0
  const setNow = (us: number): void => {
    nowUs = us
  }
  const table: SharedTable = new SharedTable(shared, thread, slot =>
    Object.values(tables).every(states => states.isIdle(slot, nowUs)),
  )
  const tables: Tables = forEachBucket(bucket => new SharedBucketTable(table, bucket, setNow))
  return { table, tables }
}
