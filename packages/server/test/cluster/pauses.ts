import type { Target } from './traffic.ts'

/** Measures the times in which a node answers no call. */
export class Pauses {
  readonly #lastMs = new Map<Target, number>()
  readonly #pausesMs: number[] = []

  constructor(targets: readonly Target[]) {
    for (const target of targets) this.#lastMs.set(target, performance.now())
  }

  /** Notes a response: 200 and 429 are decisions. */
  note(target: Target, status: number): void {
    if (status !== 200 && status !== 429) return
    const nowMs = performance.now()
    const pauseMs = nowMs - this.#lastMs.get(target)!
    this.#lastMs.set(target, nowMs)
    // Less is the time between two requests.
    if (pauseMs > 200) this.#pausesMs.push(pauseMs)
  }

  /** Returns median and worst of the pauses above 200 ms. */
  report(): string {
    const sorted = this.#pausesMs.toSorted((a, b) => a - b)
    if (sorted.length === 0) return 'no pause above 200 ms'
    const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)]! / 1000).toFixed(2)
    return `${sorted.length} pauses, p50 ${at(0.5)} s, worst ${at(1)} s`
  }
}
