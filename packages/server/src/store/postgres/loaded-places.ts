import type { Id } from '../../domain/id.ts'
import type { TotalsRows } from '../rows/batch.ts'
import type { LocationRows, PlaceRow } from '../rows/location-rules.ts'
import type { ReviewRow } from '../rows/review-row.ts'
import type { JsonColumns } from '../sql/database.ts'
import { fillRanks, moveReviewsOf, removeReviewsOf } from './loaded-reviews.ts'
import { addPlaces, changeTotals, type LoadedPlace, removeMerges, removePlaces, writeMerge } from './place-rows.ts'
import type { PostgresSession } from './pool.ts'

/** Number of reviews from which the order by rating of a place is stored; fewer reviews are sorted on request. */
const minRankedReviews = 1000

/** A location as it is loaded; without a record, only its totals are written. */
export interface StoredPlace {
  readonly id: Id
  readonly totals: string | null
  readonly is_ranked: boolean
  readonly source?: string
  readonly country?: string | null
  readonly category?: string
  readonly record?: string
  readonly updated_ms?: bigint
}

/** A change of many rows, in its order. */
type Step =
  | { readonly op: 'removeReviews'; readonly ids: Id[] }
  | { readonly op: 'unmerge'; readonly ids: Id[] }
  | { readonly op: 'moveReviews'; readonly from: Id; readonly to: Id }
  | { readonly op: 'merge'; readonly from: Id; readonly to: Id; readonly keys: readonly string[] }

/** Locations, merges and totals that a batch has loaded, and their changes. */
export class LoadedPlaces {
  readonly locations: LocationRows
  readonly totals: TotalsRows
  readonly #places = new Map<Id, LoadedPlace>()
  readonly #survivors = new Map<Id, Id>()
  readonly #reviews = new Map<Id, ReviewRow[]>()
  readonly #steps: Step[] = []

  constructor(json: JsonColumns) {
    const parseJson = <T>(text: string): T => json.parseJson<T>(text)
    this.locations = {
      get: id => this.#places.get(id)?.row,
      put: (id, atMs, row) => this.#put(id, atMs, row),
      remove: id => this.#remove(id),
      survivorOf: id => this.#survivors.get(id),
      merge: (id, into, keys) => this.#merge(id, into, keys),
      unmerge: id => this.#unmerge(id),
      reviewsOf: id => this.#reviews.get(id) ?? [],
      removeReviews: id => {
        this.#reviews.delete(id)
        this.#addIds('removeReviews', id)
      },
      moveReviews: (from, to) => this.#moveReviews(from, to),
      parseJson,
    }
    this.totals = {
      get: id => this.#places.get(id)?.totals ?? undefined,
      put: (id, atMs, totals, reviews) => this.#putTotals(id, atMs, totals, reviews),
      remove: (id, atMs) => this.#putTotals(id, atMs, null, 0),
      hasLocation: id => this.#places.get(id)?.exists ?? false,
      parseJson,
    }
  }

  load(rows: Iterable<StoredPlace>): void {
    for (const { id, totals, is_ranked: isRanked, source, country, category, record, updated_ms: ms } of rows) {
      const row =
        record === undefined ? undefined : { source: source!, country: country ?? null, category: category!, record }
      const flags = { stored: true, exists: true, isRewritten: false, isNewlyRanked: false }
      this.#places.set(id, { ...flags, storedMs: Number(ms ?? 0), totals, isRanked, row })
    }
  }

  loadMerges(rows: Iterable<{ readonly from_id: Id; readonly to_id: Id }>): void {
    for (const { from_id: from, to_id: to } of rows) this.#survivors.set(from, to)
  }

  /** Loads the shown reviews of locations that may be removed or merged. */
  loadReviews(rows: Iterable<ReviewRow>): void {
    for (const row of rows) this.#reviewsOf(row.location_id).push(row)
  }

  /** Returns true if the order by rating of a location was stored before this batch. */
  isRanked = (id: Id): boolean => {
    const place = this.#places.get(id)
    return place?.isRanked === true && !place.isNewlyRanked
  }

  /** Writes the changes whose rows have not been loaded, before those of reviews. */
  async writeSteps(session: PostgresSession): Promise<void> {
    for (const step of this.#steps) {
      if (step.op === 'removeReviews') await removeReviewsOf(session, step.ids)
      else if (step.op === 'unmerge') await removeMerges(session, step.ids)
      else if (step.op === 'moveReviews') await moveReviewsOf(session, step.from, step.to, this.isRanked(step.to))
      else await writeMerge(session, step.from, step.to, step.keys)
    }
  }

  /** Writes the changed locations and totals, after those of reviews. */
  async write(session: PostgresSession): Promise<void> {
    const places = [...this.#places]
    // A changed record is replaced: it rarely fits into the page of the old one.
    const gone = places.filter(([, place]) => place.stored && (place.isRewritten || !place.exists))
    await removePlaces(
      session,
      gone.map(([id]) => id),
    )
    await addPlaces(
      session,
      places.filter(([, place]) => place.exists && place.isRewritten),
    )
    const counted = ([, place]: (typeof places)[number]) =>
      place.stored && place.exists && !place.isRewritten && place.changedMs !== undefined
    await changeTotals(session, places.filter(counted))
    const ranked = places.filter(([, place]) => place.exists && place.isNewlyRanked).map(([id]) => id)
    if (ranked.length > 0) await fillRanks(session, ranked)
  }

  #place(id: Id): LoadedPlace {
    const known = this.#places.get(id)
    if (known) return known
    const place: LoadedPlace = {
      ...{ stored: false, storedMs: 0, exists: false, row: undefined, totals: null, isRanked: false },
      ...{ isRewritten: false, isNewlyRanked: false },
    }
    this.#places.set(id, place)
    return place
  }

  #put(id: Id, atMs: number, row: PlaceRow): void {
    Object.assign(this.#place(id), { row, exists: true, changedMs: atMs, isRewritten: true })
  }

  #remove(id: Id): boolean {
    const place = this.#places.get(id)
    if (!place?.exists) return false
    Object.assign(place, { row: undefined, exists: false, isRanked: false, isNewlyRanked: false })
    return true
  }

  #putTotals(id: Id, atMs: number, totals: string | null, reviews: number): void {
    const place = this.#place(id)
    place.totals = totals
    place.changedMs = atMs
    if (reviews < minRankedReviews || place.isRanked) return
    place.isRanked = true
    place.isNewlyRanked = true
  }

  #merge(id: Id, into: Id, keys: readonly string[]): void {
    for (const [from, to] of this.#survivors) if (to === id) this.#survivors.set(from, into)
    this.#survivors.set(id, into)
    this.#steps.push({ op: 'merge', from: id, to: into, keys })
  }

  #unmerge(id: Id): boolean {
    const wasMerged = this.#survivors.delete(id)
    if (wasMerged) this.#addIds('unmerge', id)
    return wasMerged
  }

  #reviewsOf(id: Id): ReviewRow[] {
    const known = this.#reviews.get(id) ?? []
    this.#reviews.set(id, known)
    return known
  }

  #moveReviews(from: Id, to: Id): void {
    const moved = this.#reviews.get(from) ?? []
    this.#reviews.delete(from)
    this.#reviewsOf(to).push(...moved.map(row => ({ ...row, location_id: to })))
    this.#steps.push({ op: 'moveReviews', from, to })
  }

  /** Consecutive steps of one kind are one statement. */
  #addIds(op: 'removeReviews' | 'unmerge', id: Id): void {
    const last = this.#steps.at(-1)
    if (last?.op === op) last.ids.push(id)
    else this.#steps.push({ op, ids: [id] })
  }
}
