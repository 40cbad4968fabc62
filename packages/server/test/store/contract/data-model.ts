/**
 * A model of the stores of records: what writes, decisions and merges leave, and how readers show it. It is a few maps,
 * without batches, indexes or totals.
 */
import fc from 'fast-check'
import type { LocationWrite, ReviewWrite, WriteOutcome } from '../../../src/domain/record-write.ts'
import type { Review } from '../../../src/domain/review.ts'
import type { ReviewQuery } from '../../../src/domain/review-query.ts'

/** Numbers of places, reviews and users in a history. */
export const [placeCount, reviewCount, userCount] = [4, 7, 3]

/** One step of a history; ids count from 1. */
export type Step =
  | { readonly do: 'places'; readonly writes: readonly PlaceStep[] }
  | { readonly do: 'reviews'; readonly writes: readonly ReviewStep[] }
  | { readonly do: 'hide' | 'show' | 'erase'; readonly review: number }
  | { readonly do: 'eraseUser'; readonly user: number }
  | { readonly do: 'prune'; readonly keep: number }

export interface PlaceStep {
  readonly op: 'put' | 'delete' | 'merge'
  readonly id: number
  readonly name: string
  readonly into: number
}

export interface ReviewStep {
  readonly op: 'put' | 'delete'
  readonly id: number
  readonly place: number
  readonly rating: number
  readonly day: number
  readonly language: string | undefined
  readonly user: number
  readonly text: string
}

const place = fc.integer({ min: 1, max: placeCount })
const review = fc.integer({ min: 1, max: reviewCount })
const user = fc.integer({ min: 1, max: userCount })
const text = fc.constantFrom('A', 'B\t\\N\n', '"\u0000\ud83d\ude00')

const placeStep = fc.record({
  op: fc.constantFrom('put', 'put', 'put', 'delete', 'merge'),
  id: place,
  name: text,
  into: place,
}) as fc.Arbitrary<PlaceStep>
const reviewStep = fc.record({
  op: fc.constantFrom('put', 'put', 'put', 'put', 'delete'),
  id: review,
  place,
  rating: fc.integer({ min: 0, max: 5 }),
  day: fc.integer({ min: 0, max: 3 }),
  language: fc.constantFrom(undefined, 'en', 'en-GB', 'es'),
  user,
  text,
}) as fc.Arbitrary<ReviewStep>

/** Histories of up to 12 steps after a start that stores places and reviews. */
export const histories: fc.Arbitrary<Step[]> = fc
  .tuple(
    fc.array(reviewStep, { minLength: 1, maxLength: 8 }),
    fc.array(
      fc.oneof(
        fc.record({ do: fc.constant('places'), writes: fc.array(placeStep, { minLength: 1, maxLength: 4 }) }),
        fc.record({ do: fc.constant('reviews'), writes: fc.array(reviewStep, { minLength: 1, maxLength: 6 }) }),
        fc.record({ do: fc.constant('reviews'), writes: fc.array(reviewStep, { minLength: 1, maxLength: 6 }) }),
        fc.record({ do: fc.constantFrom('hide', 'show', 'erase'), review }),
        fc.record({ do: fc.constant('eraseUser'), user }),
        fc.record({ do: fc.constant('prune'), keep: fc.integer({ min: 0, max: 5 }) }),
      ) as fc.Arbitrary<Step>,
      { minLength: 1, maxLength: 12 },
    ),
  )
  .map(([writes, steps]) => {
    const places = Array.from({ length: placeCount - 1 }, (_, i) => ({ op: 'put', id: i + 1, name: 'A', into: 1 }))
    return [{ do: 'places', writes: places }, { do: 'reviews', writes }, ...steps] as Step[]
  })

interface StoredReview {
  readonly review: Review
  readonly isHidden: boolean
}

/** The state of the stores. */
export class DataModel {
  readonly names = new Map<bigint, string>()
  readonly merges = new Map<bigint, bigint>()
  readonly reviews = new Map<bigint, StoredReview>()
  readonly #decisions = new Map<bigint, 'hidden' | 'erased'>()
  readonly #erasedUsers = new Set<string>()

  /** Returns the location that readers find under an id. */
  resolve(id: bigint): bigint | undefined {
    const target = this.merges.get(id) ?? id
    return this.names.has(target) ? target : undefined
  }

  writePlace(write: LocationWrite): WriteOutcome {
    if (write.op === 'merge') return this.#merge(write.id, write.into)
    if (write.op === 'delete') return this.#remove(write.id)
    const name = write.location.names[0]!.value
    const before = this.names.get(write.id)
    if (before === name) return 'unchanged'
    this.merges.delete(write.id)
    this.names.set(write.id, name)
    return before === undefined ? 'added' : 'changed'
  }

  writeReview(write: ReviewWrite): WriteOutcome {
    const id = write.op === 'put' ? write.review.id : write.id
    const before = this.reviews.get(id)
    if (write.op === 'delete') {
      this.reviews.delete(id)
      return before ? 'removed' : 'unchanged'
    }
    const { review: written } = write
    const decision = this.#decisions.get(id)
    if (this.#erasedUsers.has(written.userKey!) || decision === 'erased') return 'erased'
    const isSame = before !== undefined && JSON.stringify(toPlain(before.review)) === JSON.stringify(toPlain(written))
    this.reviews.set(id, { review: written, isHidden: decision === 'hidden' })
    if (isSame) return 'unchanged'
    return before ? 'changed' : 'added'
  }

  hide(id: bigint): string {
    if (this.#decisions.get(id) === 'erased') return 'erased'
    const stored = this.reviews.get(id)
    if (!stored || stored.isHidden) return this.#decisions.has(id) ? 'unchanged' : 'unknown'
    this.#decisions.set(id, 'hidden')
    this.reviews.set(id, { ...stored, isHidden: true })
    return 'hidden'
  }

  show(id: bigint): string {
    const decision = this.#decisions.get(id)
    const stored = this.reviews.get(id)
    if (decision === 'erased') return 'erased'
    if (decision === undefined) return stored ? 'unchanged' : 'unknown'
    this.#decisions.delete(id)
    if (!stored) return 'removed'
    this.reviews.set(id, { ...stored, isHidden: false })
    return 'shown'
  }

  /** Returns the number of removed reviews; undefined for an unknown id. */
  erase(id: bigint): number | undefined {
    const stored = this.reviews.get(id)
    // No id of the model is registered: a review is known while it is shown.
    if (!stored || stored.isHidden) return undefined
    this.#decisions.set(id, 'erased')
    this.reviews.delete(id)
    return 1
  }

  eraseUser(userKey: string): readonly bigint[] {
    this.#erasedUsers.add(userKey)
    const ids = [...this.reviews].filter(([, one]) => one.review.userKey === userKey).map(([id]) => id)
    for (const id of ids) {
      this.#decisions.set(id, 'erased')
      this.reviews.delete(id)
    }
    return ids.sort((a, b) => Number(a - b))
  }

  /** Returns the shown reviews of a query, in its order. */
  select({ locationId, language, ratingMin = 0, sortBy }: ReviewQuery): Review[] {
    return this.shownOf(locationId)
      .filter(one => language === undefined || one.language === language || one.language?.startsWith(`${language}-`))
      .filter(({ rating = 0 }) => rating >= ratingMin)
      .sort(
        (a, b) =>
          (sortBy === 'HIGHEST_RATED' ? (b.rating ?? 0) - (a.rating ?? 0) : 0) ||
          b.publishedMs! - a.publishedMs! ||
          Number(b.id - a.id),
      )
  }

  shownOf(locationId: bigint): Review[] {
    const stored = [...this.reviews.values()]
    return stored
      .filter(({ review: one, isHidden }) => !isHidden && one.locationId === locationId)
      .map(one => one.review)
  }

  #merge(id: bigint, target: bigint): WriteOutcome {
    const into = this.merges.get(target) ?? target
    if (into === id) return 'merge_cycle'
    const existed = this.names.delete(id)
    if (!existed && this.merges.get(id) === into) return 'unchanged'
    for (const [from, to] of this.merges) if (to === id) this.merges.set(from, into)
    this.merges.set(id, into)
    this.#move(id, into)
    return 'changed'
  }

  #move(from: bigint, to: bigint): void {
    for (const [id, { review: one, isHidden }] of this.reviews)
      if (one.locationId === from) this.reviews.set(id, { review: { ...one, locationId: to }, isHidden })
  }

  #remove(id: bigint): WriteOutcome {
    const wasMerged = this.merges.delete(id)
    if (!this.names.delete(id) && !wasMerged) return 'unchanged'
    for (const [reviewId, { review: one }] of this.reviews) if (one.locationId === id) this.reviews.delete(reviewId)
    return 'removed'
  }
}

/** Returns a review as JSON shows it. */
export const toPlain = ({ id, locationId, ...review }: Review) => ({ ...review, id: `${id}`, at: `${locationId}` })
