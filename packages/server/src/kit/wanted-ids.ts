/** Position of the upper half of a 64-bit number in an array of its halves. */
const upper = new Uint32Array(BigUint64Array.of(1n).buffer)[0] === 1 ? 1 : 0
const lower = 1 - upper

/**
 * Distinct ids that are looked up in ascending lists of ids. Compares the halves of the numbers, because each bigint
 * that is read from an array is an allocation; the ids are looked up in their order, which stays in the cache.
 */
export class WantedIds {
  readonly #halves: Uint32Array
  /** Indexes of the ids, ascending by id. */
  readonly #order: Uint32Array

  constructor(ids: BigUint64Array) {
    const halves = halvesOf(ids)
    this.#halves = halves
    this.#order = Uint32Array.from(ids.keys()).sort(
      (a, b) => halves[2 * a + upper]! - halves[2 * b + upper]! || halves[2 * a + lower]! - halves[2 * b + lower]!,
    )
  }

  /** Returns the index of each id in an ascending list, or -1. */
  indexesIn(list: BigUint64Array): Int32Array {
    const all = halvesOf(list)
    const wanted = this.#halves
    const found = new Int32Array(this.#order.length).fill(-1)
    let from = 0
    for (const i of this.#order) {
      const [high, low] = [wanted[2 * i + upper]!, wanted[2 * i + lower]!]
      from = firstFrom(all, from, high, low)
      if (2 * from === all.length) break
      if (all[2 * from + upper] === high && all[2 * from + lower] === low) found[i] = from
    }
    return found
  }
}

const halvesOf = ({ buffer, byteOffset, length }: BigUint64Array): Uint32Array =>
  new Uint32Array(buffer, byteOffset, length * 2)

/** Returns the first index from `start` on whose id is not below another one: in growing steps, then by halving. */
function firstFrom(all: Uint32Array, start: number, high: number, low: number): number {
  const end = all.length / 2
  const isBelow = (at: number): boolean =>
    all[2 * at + upper]! < high || (all[2 * at + upper] === high && all[2 * at + lower]! < low)
  let from = start
  let step = 1
  while (from + step <= end && isBelow(from + step - 1)) {
    from += step
    step *= 2
  }
  let to = Math.min(end, from + step)
  while (from < to) {
    const middle = (from + to) >>> 1
    if (isBelow(middle)) from = middle + 1
    else to = middle
  }
  return from
}
