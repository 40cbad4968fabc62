/**
 * Limit of the work of a query on the calling thread. A step is about 50 to 100 ns, so 10,000 steps take about 1 ms. A
 * query that exhausts its budget returns undefined and runs again in a worker (ARCHITECTURE.md, "A search").
 */
export class Budget {
  #left: number

  constructor(steps: number) {
    this.#left = steps
  }

  spend(steps: number): void {
    this.#left -= steps
  }

  get exhausted(): boolean {
    return this.#left < 0
  }
}
