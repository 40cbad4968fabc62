import type { Review } from '../../domain/review.ts'
import { checksum } from '../../kit/draft-file.ts'
import { Growable } from '../../kit/growable.ts'
import { dayMs } from '../../kit/time.ts'
import { buildTerms } from '../index/term-dictionary.ts'
import { commonShare } from './common-share.ts'
import { type SegmentArrays, tripNumbers } from './format.ts'
import { sentenceTermsOf } from './sentence-terms.ts'

const maxDay = 0xff_ff

/** List of the reviews with a term: differences of their numbers, seven bits a byte, the lowest first. */
class ReviewsOfTerm {
  readonly bytes = new Growable(Uint8Array, 8)
  sentences = 0
  #last = -1

  add(review: number): void {
    if (review === this.#last) return
    let rest = review - this.#last
    for (; rest > 127; rest >>>= 7) this.bytes.push((rest & 127) | 128)
    this.bytes.push(rest)
    this.#last = review
  }
}

/** A segment that is ready to be written. */
export interface BuiltSegment {
  readonly lists: readonly Uint8Array[]
  readonly arrays: SegmentArrays
}

/** Collects the terms of reviews, ascending by id, in memory: about 150 bytes for each review of 40 words. */
export class SegmentBuilder {
  readonly #terms = new Map<string, ReviewsOfTerm>()
  readonly #places: bigint[] = []
  readonly #ids = new Growable(BigUint64Array)
  readonly #days = new Growable(Uint16Array)
  readonly #languages = new Growable(Uint8Array)
  readonly #trips = new Growable(Uint8Array)
  readonly #vectorStart = new Growable(Uint32Array)
  #vectors = 0
  sentences = 0

  get reviews(): number {
    return this.#ids.length
  }

  /** Adds a review; `language` is the number of its language, `vectors` that of its vectors. */
  add(review: Review, language: number, vectors: number): void {
    const number = this.#ids.length
    this.#ids.push(review.id)
    this.#vectorStart.push(this.#vectors)
    this.#vectors += vectors
    this.#places.push(review.locationId)
    this.#days.push(Math.min(maxDay, Math.max(0, Math.floor((review.publishedMs ?? 0) / dayMs))))
    this.#languages.push(language)
    this.#trips.push(tripNumbers.get(review.tripType ?? '') ?? 0)
    for (const sentence of sentenceTermsOf(review)) {
      this.sentences++
      for (const term of sentence) this.#listOf(term, number)
    }
  }

  /** Completes the segment; the lists of common terms are empty, except of those that are kept. */
  build(isKept: (term: string) => boolean): BuiltSegment {
    this.#vectorStart.push(this.#vectors)
    const limit = commonShare * this.sentences
    const terms = [...this.#terms.keys()].sort()
    const lists = terms.map(term => {
      const { bytes, sentences } = this.#terms.get(term)!
      return sentences < limit || isKept(term) ? bytes.view() : new Uint8Array()
    })
    const listStart = new Uint32Array(terms.length + 1)
    for (const [i, list] of lists.entries()) listStart[i + 1] = listStart[i]! + list.length
    const placeIds = BigUint64Array.from(new Set(this.#places)).sort()
    const placeNumbers = new Map(Array.from(placeIds, (id, i) => [id, i]))
    return {
      lists,
      arrays: {
        ...buildTerms(terms),
        listStart,
        listCrc: Uint32Array.from(lists, list => checksum(list)),
        sentences: Uint32Array.from(terms, term => this.#terms.get(term)!.sentences),
        placeIds,
        reviewIds: this.#ids.view(),
        place: Uint32Array.from(this.#places, id => placeNumbers.get(id)!),
        day: this.#days.view(),
        language: this.#languages.view(),
        trip: this.#trips.view(),
        vectorStart: this.#vectorStart.view(),
      },
    }
  }

  #listOf(term: string, review: number): void {
    let list = this.#terms.get(term)
    if (list === undefined) {
      list = new ReviewsOfTerm()
      this.#terms.set(term, list)
    }
    list.sentences++
    list.add(review)
  }
}
