import { Growable } from '../../kit/growable.ts'
import { WantedIds } from '../../kit/wanted-ids.ts'
import type { ReviewsIndex } from '../reviews/reviews-index.ts'
import type { ReviewsSegment } from '../reviews/reviews-segment.ts'
import type { WeightedIdea } from './intent-matcher.ts'

/** Number of ideas that are searched, because each has two bits. */
export const maxIdeas = 15

/** Reviews of places that mention ideas, in columns; `slot` is the position of the place among those that were asked for. */
export interface Mentions {
  readonly slot: Growable<Uint32Array>
  readonly segment: Growable<Uint32Array>
  readonly review: Growable<Uint32Array>
  /** Bit i: words for idea i; bit i + 16: words against it. */
  readonly ideas: Growable<Uint32Array>
}

/** Reviews that mention ideas, and their numbers. */
export interface FoundMentions {
  readonly mentions: Mentions
  /** Number of reviews that mention each idea, of all places. */
  readonly reviews: readonly number[]
  /** Number of reviews of each place. */
  readonly ofPlace: Uint32Array
}

/** Finds the reviews of places that mention ideas. Throws DamagedReviews. */
export function findMentions(index: ReviewsIndex, ideas: readonly WeightedIdea[], ids: BigUint64Array): FoundMentions {
  const create = () => new Growable(Uint32Array, 64)
  const mentions = { slot: create(), segment: create(), review: create(), ideas: create() }
  const found = { mentions, reviews: ideas.map(() => 0), ofPlace: new Uint32Array(ids.length) }
  const wanted = new WantedIds(ids)
  for (const [number, segment] of index.segments.entries()) addMentions(number, segment, ideas, wanted, found)
  return found
}

/** Memory for a segment; searches run to completion without interleaving. `bits` and `isWanted` are 0 in between. */
let bits = new Uint32Array(0)
/** Bit of each place that was asked for: few enough bytes for the cache. */
let isWanted = new Uint32Array(0)
/** Position of these among all that were asked for. */
let slots = new Uint32Array(0)
let touched = new Uint32Array(0)

function addMentions(
  number: number,
  segment: ReviewsSegment,
  ideas: readonly WeightedIdea[],
  wanted: WantedIds,
  { mentions, reviews, ofPlace }: FoundMentions & { readonly reviews: number[] },
): void {
  const { place, placeIds } = segment.arrays
  if (bits.length < place.length) [bits, touched] = [new Uint32Array(place.length), new Uint32Array(place.length)]
  if (slots.length < placeIds.length) {
    slots = new Uint32Array(placeIds.length)
    isWanted = new Uint32Array((placeIds.length >>> 5) + 1)
  }
  const places = wanted.indexesIn(placeIds)
  for (let i = 0; i < places.length; i++) {
    if (places[i]! < 0) continue
    slots[places[i]!] = i
    isWanted[places[i]! >>> 5]! |= 1 << (places[i]! & 31)
    ofPlace[i]! += segment.reviewsOfPlace[places[i]!]!
  }
  const memory = { bits, touched, count: 0 }
  try {
    for (const [i, { forms, opposites, isUnwanted }] of ideas.slice(0, maxIdeas).entries()) {
      for (const [shift, words] of [forms, opposites].entries()) {
        const bit = 1 << (i + 16 * (isUnwanted ? 1 - shift : shift))
        for (const form of words) reviews[i]! += mark(segment.reviewsWith(form), bit, memory)
      }
    }
    for (let i = 0; i < memory.count; i++) {
      const review = touched[i]!
      const at = place[review]!
      if ((isWanted[at >>> 5]! & (1 << (at & 31))) === 0) continue
      mentions.slot.push(slots[at]!)
      mentions.segment.push(number)
      mentions.review.push(review)
      mentions.ideas.push(bits[review]!)
    }
  } finally {
    for (let i = 0; i < memory.count; i++) bits[touched[i]!] = 0
    for (const at of places) if (at >= 0) isWanted[at >>> 5] = 0
  }
}

/** Sets a bit of reviews, and lists those that had no bit; returns the number of reviews that did not have this one. */
function mark(
  found: Uint32Array,
  bit: number,
  memory: { readonly bits: Uint32Array; readonly touched: Uint32Array; count: number },
): number {
  const { bits, touched } = memory
  let { count } = memory
  let added = 0
  for (let i = 0; i < found.length; i++) {
    const review = found[i]!
    const before = bits[review]!
    if ((before & bit) !== 0) continue
    if (before === 0) touched[count++] = review
    bits[review] = before | bit
    added++
  }
  memory.count = count
  return added
}
