/** Maximum length of the compared texts, in UTF-16 units. */
const maxLength = 63

/**
 * Optimal string alignment distances (Damerau-Levenshtein without a second edit of a transposed pair) from many texts
 * to one word. The rows of the prefix that a text shares with the previous text are reused, so sorted texts are fast.
 */
export class EditDistances {
  readonly #word: Uint16Array
  readonly #limit: number
  /** The rows of the distance table: one for the empty text, then one for each unit of the text. */
  readonly #rows: Uint8Array
  readonly #width: number
  /** The text of the filled rows; `#depth` is its length. */
  readonly #text = new Uint16Array(maxLength + 1)
  #depth = 0
  /** True if every distance in the last row exceeds the limit. */
  #tooFar = false

  constructor(word: string, limit: number) {
    this.#word = toUnits(word)
    this.#limit = limit
    this.#width = word.length + 1
    this.#rows = new Uint8Array((word.length + limit + 1) * this.#width)
    for (let j = 0; j <= word.length; j++) this.#rows[j] = j
  }

  /**
   * Returns the distance to the text in `units` from `from` (inclusive) to `to` (exclusive), or `limit + 1` if it
   * exceeds the limit.
   */
  to(units: ArrayLike<number>, from: number, to: number): number {
    const length = to - from
    const beyond = this.#limit + 1
    if (length > maxLength || Math.abs(length - this.#word.length) > this.#limit) return beyond
    const text = this.#text
    let shared = 0
    while (shared < this.#depth && shared < length && text[shared] === units[from + shared]) shared++
    if (this.#tooFar && shared === this.#depth) return beyond
    this.#tooFar = false
    this.#depth = shared
    while (this.#depth < length && !this.#tooFar) {
      text[this.#depth] = units[from + this.#depth]!
      this.#tooFar = this.#fill(++this.#depth) > this.#limit
    }
    return this.#tooFar ? beyond : Math.min(beyond, this.#rows[length * this.#width + this.#word.length]!)
  }

  /** Fills the cells of row `i` that can be within the limit. Returns the smallest of them. */
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

/** Returns the distance between two texts of up to 63 UTF-16 units, or `limit + 1` if it exceeds the limit. */
export function editDistance(a: string, b: string, limit: number): number {
  const units = toUnits(b)
  return new EditDistances(a, limit).to(units, 0, units.length)
}

function toUnits(text: string): Uint16Array {
  const units = new Uint16Array(text.length)
  for (let i = 0; i < text.length; i++) units[i] = text.charCodeAt(i)
  return units
}
