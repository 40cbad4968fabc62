import { type Operation, operationNames } from '../../domain/operation.ts'

/** Label of requests that are not for an operation: pages and unknown paths. */
export const noOperation = 'page'

/** Upper bounds of the histogram buckets for durations, in seconds. */
export const durationBoundsS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

const boundsMs = durationBoundsS.map(bound => bound * 1000)
const operations: readonly string[] = [...operationNames, noOperation]
const operationIndex = new Map<string | undefined, number>(operations.map((name, i) => [name, i]))
const noOperationIndex = operations.length - 1
/** Upper bound of the status codes, exclusive. */
const statuses = 600

/** The histogram of the durations of one operation. */
export interface Durations {
  readonly operation: string
  /** Requests per histogram bucket, not cumulative; the last bucket is for durations above all of `durationBoundsS`. */
  readonly counts: readonly number[]
  readonly sumS: number
}

/**
 * Counters of requests, in plain arrays: an update costs a few nanoseconds, and metrics are computed from them on
 * demand. Only operations, versions and statuses are labels, so that the number of counters is bounded.
 */
export class Traffic {
  readonly #versions: readonly string[]
  readonly #versionIndex: ReadonlyMap<string | undefined, number>
  readonly #requests: Float64Array
  readonly #durations = new Float64Array(operations.length * (boundsMs.length + 1))
  readonly #sumsMs = new Float64Array(operations.length)
  readonly #units = new Float64Array(operations.length)
  readonly #refusals = new Map<string, number>()
  #onShortWay = 0

  /** `versions` lists all version names that a response may have. */
  constructor(versions: readonly string[]) {
    this.#versions = ['none', ...versions]
    this.#versionIndex = new Map(this.#versions.map((name, i) => [name, i]))
    this.#requests = new Float64Array(operations.length * this.#versions.length * statuses)
  }

  /** Counts a response that was ready `ms` milliseconds after its request arrived. */
  countResponse(operation: string | undefined, version: string | undefined, status: number, ms: number): void {
    const operationRow = operationIndex.get(operation) ?? noOperationIndex
    const versionColumn = this.#versionIndex.get(version) ?? 0
    this.#requests[(operationRow * this.#versions.length + versionColumn) * statuses + status]!++
    let bound = 0
    while (bound < boundsMs.length && ms > boundsMs[bound]!) bound++
    this.#durations[operationRow * (boundsMs.length + 1) + bound]!++
    this.#sumsMs[operationRow]! += ms
  }

  /** Counts a request that was answered in front of the router. */
  countShortWay(): void {
    this.#onShortWay++
  }

  /** Number of requests that were answered in front of the router. */
  get onShortWay(): number {
    return this.#onShortWay
  }

  /** Counts a call that was refused by these limit policies. */
  countRefusal(policies: readonly string[]): void {
    for (const policy of policies) this.#refusals.set(policy, (this.#refusals.get(policy) ?? 0) + 1)
  }

  /** Counts the units of a recorded call. */
  countUnits(operation: Operation, units: number): void {
    this.#units[operationIndex.get(operation)!]! += units
  }

  /** Yields the response counters that are not 0. */
  *requests(): Generator<readonly [{ operation: string; version: string; status: number }, number]> {
    // Most counters are 0; yielding all of them would take some milliseconds.
    for (let i = 0; i < this.#requests.length; i++) {
      const count = this.#requests[i]!
      if (count === 0) continue
      const row = Math.floor(i / statuses)
      const operation = operations[Math.floor(row / this.#versions.length)]!
      yield [{ operation, version: this.#versions[row % this.#versions.length]!, status: i % statuses }, count]
    }
  }

  *durations(): Generator<Durations> {
    const width = boundsMs.length + 1
    for (const [i, operation] of operations.entries()) {
      const counts = [...this.#durations.subarray(i * width, (i + 1) * width)]
      yield { operation, counts, sumS: this.#sumsMs[i]! / 1000 }
    }
  }

  *units(): Generator<readonly [{ operation: string }, number]> {
    for (const [i, operation] of operationNames.entries()) yield [{ operation }, this.#units[i]!]
  }

  *refusals(): Generator<readonly [{ policy: string }, number]> {
    for (const [policy, count] of this.#refusals) yield [{ policy }, count]
  }
}
