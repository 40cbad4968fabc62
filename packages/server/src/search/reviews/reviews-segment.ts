import { checksum, readAll } from '../../kit/draft-file.ts'
import { firstNotBelow } from '../../kit/first-not-below.ts'
import { isBigram, tokens } from '../../kit/tokens.ts'
import { TermDictionary } from '../index/term-dictionary.ts'
import { inflects, stemOf } from '../text/stems.ts'
import type { SegmentArrays, StoredSegment } from './format.ts'

/** Error for a list of an index of reviews whose checksum does not match. */
export class DamagedReviews extends Error {}

/** Reviews of a range of ids with their terms. */
export class ReviewsSegment {
  readonly arrays: SegmentArrays
  /** Number of reviews of each place. */
  readonly reviewsOfPlace: Uint32Array
  readonly #terms: TermDictionary
  readonly #file: number
  readonly #listsAt: number
  readonly #vectorsAt: number

  constructor(
    file: number,
    { listsAt, vectorsAt }: Pick<StoredSegment, 'listsAt' | 'vectorsAt'>,
    arrays: SegmentArrays,
  ) {
    this.#file = file
    this.#listsAt = listsAt
    this.#vectorsAt = vectorsAt
    this.arrays = arrays
    this.#terms = new TermDictionary(arrays)
    this.reviewsOfPlace = new Uint32Array(arrays.placeIds.length)
    for (let review = 0; review < arrays.place.length; review++) this.reviewsOfPlace[arrays.place[review]!]!++
  }

  /** Returns the number of sentences with a word or an inflection of it. */
  sentencesWith(word: string): number {
    return this.#termsOf(word).reduce((sum, term) => sum + this.arrays.sentences[term]!, 0)
  }

  /**
   * Returns the numbers of the reviews with all words of a form, or inflections of them; a number may occur several
   * times. Valid until the next call, of any segment.
   */
  reviewsWith(form: string): Uint32Array {
    const words = [...new Set(tokens(form))].map(word => this.#termsOf(word))
    if (words.length === 0 || words.some(terms => terms.length === 0)) return new Uint32Array(0)
    if (words.length === 1) return this.#decode(words[0]!)
    // The rarest word first: often no review has it and the next one.
    words.sort((a, b) => this.#bytesOf(a) - this.#bytesOf(b))
    if (marks.length < this.arrays.place.length) marks = new Uint8Array(this.arrays.place.length)
    marks.fill(0)
    const last = words.length - 1
    for (let word = 0; word < last; word++) {
      const found = this.#decode(words[word]!)
      let marked = 0
      for (let i = 0; i < found.length; i++) {
        if (marks[found[i]!] !== word) continue
        marks[found[i]!] = word + 1
        marked++
      }
      if (marked === 0) return new Uint32Array(0)
    }
    const found = this.#decode(words[last]!)
    let count = 0
    for (let i = 0; i < found.length; i++) if (marks[found[i]!] === last) found[count++] = found[i]!
    return found.subarray(0, count)
  }

  /** Reads the records of the vectors of a review; undefined if the segment does not have the review. */
  readVectors(id: bigint, recordBytes: number): Buffer | undefined {
    const { reviewIds, vectorStart } = this.arrays
    const review = indexOfId(reviewIds, id)
    if (review < 0) return undefined
    const bytes = Buffer.alloc((vectorStart[review + 1]! - vectorStart[review]!) * recordBytes)
    readAll(this.#file, bytes, this.#vectorsAt + vectorStart[review]! * recordBytes)
    return bytes
  }

  /** Returns the terms of a word and its inflections; for a single character of CJK, the bigrams that begin with it. */
  #termsOf(word: string): number[] {
    const isCharacter = isBigram(word) && word.length === 1
    const stem = stemOf(word)
    if (stem.ending === 0 && !isCharacter) {
      const exact = this.#terms.find(stem.text)
      return exact < 0 ? [] : [exact]
    }
    const [from, to] = this.#terms.range(stem.text)
    const all = Array.from({ length: to - from }, (_, i) => from + i)
    return all.filter(
      term =>
        isCharacter ||
        (this.#terms.length(term) - stem.text.length <= stem.ending && inflects(stem, this.#terms.text(term))),
    )
  }

  #bytesOf(terms: readonly number[]): number {
    const { listStart } = this.arrays
    return terms.reduce((sum, term) => sum + listStart[term + 1]! - listStart[term]!, 0)
  }

  /** Returns the reviews of all lists of some terms. */
  #decode(terms: readonly number[]): Uint32Array {
    const { listStart, listCrc } = this.arrays
    // Each number has at least a byte.
    const most = this.#bytesOf(terms)
    if (encoded.length < most) [encoded, decoded] = [new Uint8Array(most), new Uint32Array(most)]
    let count = 0
    for (const term of terms) {
      const start = listStart[term]!
      const list = encoded.subarray(0, listStart[term + 1]! - start)
      if (readAll(this.#file, list, this.#listsAt + start) < list.length || checksum(list) !== listCrc[term])
        throw new DamagedReviews('The index of reviews is damaged.')
      count = decodeNumbers(list, decoded, count)
    }
    return decoded.subarray(0, count)
  }
}

/** Memory for lists of reviews, as they are stored and decoded; searches run to completion without interleaving. */
let encoded = new Uint8Array(0)
let decoded = new Uint32Array(0)
/** Number of words of a form that each review has so far. */
let marks = new Uint8Array(0)

/** Returns the index of an id in an ascending list, or -1. */
function indexOfId(ids: BigUint64Array, id: bigint): number {
  const at = firstNotBelow(ids, id)
  return ids[at] === id ? at : -1
}

/** Decodes a list of ascending numbers, from `at` on in `into`; see segment-builder.ts. Returns the end in `into`. */
function decodeNumbers(list: Uint8Array, into: Uint32Array, at: number): number {
  let end = at
  let last = -1
  for (let i = 0; i < list.length; ) {
    let byte = list[i++]!
    let difference = byte & 127
    for (let shift = 7; byte >= 128; shift += 7) {
      byte = list[i++]!
      difference |= (byte & 127) << shift
    }
    last += difference
    into[end++] = last
  }
  return end
}
