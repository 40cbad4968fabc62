import { basename } from 'node:path'
import type { StoreFailure, StoreFailureCount, StoreFailureKind } from '../domain/store-errors.ts'

/** The stores and kinds of failures that are counted separately. */
export interface CountedFailures {
  /** Names of stores. */
  readonly stores: readonly string[]
  /** Other kinds are not counted: a wait for another process is not a failure of a disk. */
  readonly kinds: readonly StoreFailureKind[]
}

/** All other stores: locks and temporary databases. */
const otherStores = 'other'

/** Counts the failures of stores in shared memory, so that the threads of a process count together. */
export class FailureCounts {
  readonly shared: SharedArrayBuffer
  readonly #counted: CountedFailures
  readonly #counts: Int32Array<SharedArrayBuffer>
  readonly #lastMs: Float64Array<SharedArrayBuffer>

  constructor(counted: CountedFailures, shared?: SharedArrayBuffer) {
    const cells = (counted.stores.length + 1) * counted.kinds.length
    this.#counted = counted
    this.shared = shared ?? new SharedArrayBuffer(cells * (8 + 4))
    this.#lastMs = new Float64Array(this.shared, 0, cells)
    this.#counts = new Int32Array(this.shared, cells * 8, cells)
  }

  add({ kind, file }: Pick<StoreFailure, 'kind' | 'file'>, nowMs: number): void {
    const { stores } = this.#counted
    const store = stores.indexOf(basename(file))
    const at = this.#cellOf(store === -1 ? stores.length : store, kind)
    if (at === undefined) return
    Atomics.add(this.#counts, at, 1)
    this.#lastMs[at] = nowMs
  }

  list(): StoreFailureCount[] {
    const { stores, kinds } = this.#counted
    return [...stores, otherStores].flatMap((store, row) =>
      kinds.map(kind => {
        const at = this.#cellOf(row, kind)!
        return { store, kind, count: Atomics.load(this.#counts, at), lastMs: this.#lastMs[at]! }
      }),
    )
  }

  #cellOf(row: number, kind: StoreFailureKind): number | undefined {
    const column = this.#counted.kinds.indexOf(kind)
    return column === -1 ? undefined : row * this.#counted.kinds.length + column
  }
}
