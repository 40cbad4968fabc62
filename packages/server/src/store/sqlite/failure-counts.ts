import { basename } from 'node:path'
import {
  type StoreFailure,
  type StoreFailureCount,
  type StoreFailureKind,
  storeFailureKinds,
} from '../../domain/store-errors.ts'
import { downloadsName, requestsName, storeNames } from './files.ts'

/** The files whose failures are counted separately. */
const files: readonly string[] = [...Object.values(storeNames), downloadsName, requestsName]
/** All other files: locks and temporary databases. */
const otherFiles = 'other'
const labels = [...files, otherFiles]
/** The kinds that are counted. A wait for another process is not a failure of a disk. */
const kinds: readonly StoreFailureKind[] = storeFailureKinds.filter(kind => kind !== 'busy')

const cells = labels.length * kinds.length

/** Counts the failures of stores in shared memory, so that the threads of a process count together. */
export class FailureCounts {
  readonly shared: SharedArrayBuffer
  readonly #counts: Int32Array<SharedArrayBuffer>
  readonly #lastMs: Float64Array<SharedArrayBuffer>

  constructor(shared = new SharedArrayBuffer(cells * (8 + 4))) {
    this.shared = shared
    this.#lastMs = new Float64Array(shared, 0, cells)
    this.#counts = new Int32Array(shared, cells * 8, cells)
  }

  add({ kind, file }: StoreFailure, nowMs: number): void {
    const store = files.indexOf(basename(file))
    const at = cellOf(store === -1 ? files.length : store, kind)
    if (at === undefined) return
    Atomics.add(this.#counts, at, 1)
    this.#lastMs[at] = nowMs
  }

  list(): StoreFailureCount[] {
    return labels.flatMap((store, row) =>
      kinds.map(kind => {
        const at = cellOf(row, kind)!
        return { store, kind, count: Atomics.load(this.#counts, at), lastMs: this.#lastMs[at]! }
      }),
    )
  }
}

function cellOf(row: number, kind: StoreFailureKind): number | undefined {
  const column = kinds.indexOf(kind)
  return column === -1 ? undefined : row * kinds.length + column
}
