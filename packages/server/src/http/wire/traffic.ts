import { type Operation, operationNames } from '../../domain/operation.ts'

/** What a request was for where it was for no operation: a page, or nothing that there is. */
export const elsewhere = 'page'

/** Upper bounds of the classes that durations are counted in, seconds. */
export const durationBoundsS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

const boundsMs = durationBoundsS.map(bound => bound * 1000)
const operations: readonly string[] = [...operationNames, elsewhere]
const operationIndex = new Map<string | undefined, number>(operations.map((name, i) => [name, i]))
const elsewhereIndex = operations.length - 1
/** Status codes lie below this. */
const statuses = 600

export interface Durations {
  readonly operation: string
  /** How many took at most each of `durationBoundsS`, and longer than the bound before. The last: longer than all. */
  readonly counts: readonly number[]
  readonly sumS: number
}

/**
 * What requests come to, in plain numbers that cost some nanoseconds each; whoever looks at them makes metrics of them.
 * Operations, versions and statuses are few and known, so that their numbers are bounded; keys and paths are not counted.
 */
export class Traffic {
  readonly #versions: readonly string[]
  readonly #versionIndex: ReadonlyMap<string | undefined, number>
  readonly #requests: Float64Array
  readonly #durations = new Float64Array(operations.length * (boundsMs.length + 1))
  readonly #sumsMs = new Float64Array(operations.length)
  readonly #units = new Float64Array(operations.length)
  readonly #refusals = new Map<string, number>()

  /** `versions`: all names that an answer may carry. */
  constructor(versions: readonly string[]) {
    this.#versions = ['none', ...versions]
    this.#versionIndex = new Map(this.#versions.map((name, i) => [name, i]))
    this.#requests = new Float64Array(operations.length * this.#versions.length * statuses)
  }

  /** An answer has been made, `ms` after its request was there. */
  answered(operation: string | undefined, version: string | undefined, status: number, ms: number): void {
    const of = operationIndex.get(operation) ?? elsewhereIndex
    const to = this.#versionIndex.get(version) ?? 0
    this.#requests[(of * this.#versions.length + to) * statuses + status]!++
    let bound = 0
    while (bound < boundsMs.length && ms > boundsMs[bound]!) bound++
    this.#durations[of * (boundsMs.length + 1) + bound]!++
    this.#sumsMs[of]! += ms
  }

  /** Limits have refused a call. */
  refused(policies: readonly string[]): void {
    for (const policy of policies) this.#refusals.set(policy, (this.#refusals.get(policy) ?? 0) + 1)
  }

  /** A call was charged, and its record written. */
  charged(operation: Operation, units: number): void {
    this.#units[operationIndex.get(operation)!]! += units
  }

  /** How many answers there were; only what occurred. */
  *requests(): Generator<readonly [{ operation: string; version: string; status: number }, number]> {
    // Most are 0; an iterator over all would take some milliseconds.
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
