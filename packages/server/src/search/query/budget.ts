/**
 * Steps that a query may take where it runs. A step is about 50 to 100 ns of work, so that ten thousand are about a
 * millisecond; what runs out of them gives up and is asked again in a worker (ARCHITECTURE.md "Workers").
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
