/** Number of microseconds in a second. */
const secondUs = 1_000_000

/**
 * A histogram of durations. In shared memory, all threads of a process add to it.
 */
export class DurationHistogram {
  readonly boundsS: readonly number[]
  readonly shared: SharedArrayBuffer
  /** Number of durations in each bucket, above the last bound, and the sum of all in microseconds. */
  readonly #cells: BigInt64Array<SharedArrayBuffer>

  /** `boundsS`: the upper bounds of the buckets, in seconds. */
  constructor(boundsS: readonly number[], shared?: SharedArrayBuffer) {
    this.boundsS = boundsS
    this.shared = shared ?? new SharedArrayBuffer((boundsS.length + 2) * BigInt64Array.BYTES_PER_ELEMENT)
    this.#cells = new BigInt64Array(this.shared)
  }

  add(seconds: number): void {
    const { length } = this.boundsS
    const found = this.boundsS.findIndex(bound => seconds <= bound)
    Atomics.add(this.#cells, found === -1 ? length : found, 1n)
    Atomics.add(this.#cells, length + 1, BigInt(Math.round(seconds * secondUs)))
  }

  /** Returns the number of durations in each bucket and above the last bound, and the sum of all in seconds. */
  read(): { readonly counts: readonly number[]; readonly sum: number } {
    const cells = [...this.#cells].map(Number)
    const sumUs = cells.pop()!
    return { counts: cells, sum: sumUs / secondUs }
  }
}
