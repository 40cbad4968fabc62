/** Longest text, in UTF-16 units, that a known one is compared with. */
const longest = 63

/**
 * Optimal string alignment distances (Damerau-Levenshtein without editing a transposed pair again) of many texts to one
 * word. Texts that begin as the one before did are compared from where they differ.
 */
export class EditDistances {
  readonly #word: Uint16Array
  readonly #limit: number
  /** One row after the other for each unit of the text, behind the row of the empty text. */
  readonly #rows: Uint8Array
  readonly #width: number
  /** The text of the rows so far, how many there are, and whether the last one already lies beyond the limit. */
  readonly #text = new Uint16Array(longest + 1)
  #depth = 0
  #tooFar = false

  constructor(word: string, limit: number) {
    this.#word = unitsOf(word)
    this.#limit = limit
    this.#width = word.length + 1
    this.#rows = new Uint8Array((word.length + limit + 1) * this.#width)
    for (let j = 0; j <= word.length; j++) this.#rows[j] = j
  }

  /** The distance to `units` from `from` up to `to`, or `limit + 1` when it is larger. */
  to(units: ArrayLike<number>, from: number, to: number): number {
    const length = to - from
    const beyond = this.#limit + 1
    if (length > longest || Math.abs(length - this.#word.length) > this.#limit) return beyond
    const text = this.#text
    let same = 0
    while (same < this.#depth && same < length && text[same] === units[from + same]) same++
    if (this.#tooFar && same === this.#depth) return beyond
    this.#tooFar = false
    this.#depth = same
    while (this.#depth < length && !this.#tooFar) {
      text[this.#depth] = units[from + this.#depth]!
      this.#tooFar = this.#fill(++this.#depth) > this.#limit
    }
    return this.#tooFar ? beyond : Math.min(beyond, this.#rows[length * this.#width + this.#word.length]!)
  }

  /** Works out row `i`, as far as it can lie within the limit, and gives the least of it. */
  #fill(i: number): number {
    const word = this.#word
    const text = this.#text
    const limit = this.#limit
    const rows = this.#rows
    const row = i * this.#width
    const previous = row - this.#width
    const before = previous - this.#width
    const from = Math.max(1, i - limit)
    const to = Math.min(word.length, i + limit)
    let best = from === 1 ? i : limit + 1
    rows[row + from - 1] = best
    const letter = text[i - 1]!
    for (let j = from; j <= to; j++) {
      const other = word[j - 1]!
      let cost = rows[previous + j - 1]! + (letter === other ? 0 : 1)
      if (rows[row + j - 1]! + 1 < cost) cost = rows[row + j - 1]! + 1
      if (j < i + limit && rows[previous + j]! + 1 < cost) cost = rows[previous + j]! + 1
      if (i > 1 && j > 1 && letter === word[j - 2] && other === text[i - 2] && rows[before + j - 2]! + 1 < cost) {
        cost = rows[before + j - 2]! + 1
      }
      rows[row + j] = cost
      if (cost < best) best = cost
    }
    return best
  }
}

/** The distance of two texts shorter than 64 UTF-16 units, or `limit + 1` when it is larger. */
export function editDistance(a: string, b: string, limit: number): number {
  const units = unitsOf(b)
  return new EditDistances(a, limit).to(units, 0, units.length)
}

const unitsOf = (text: string): Uint16Array => Uint16Array.from({ length: text.length }, (_, i) => text.charCodeAt(i))
