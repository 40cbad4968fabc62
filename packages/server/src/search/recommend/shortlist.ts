import { topLevelCategories } from '../../domain/category.ts'
import type { Id } from '../../domain/id.ts'
import type { RecommendationQuery } from '../../domain/recommendation.ts'
import type { TripType } from '../../domain/review.ts'
import { type IndexPart, type IndexView, rankOrder } from '../index/index-view.ts'
import { unitsPerDegree } from '../index/regions.ts'
import { type Segment, statusCode } from '../index/segment.ts'
import { distancesFrom } from '../index/sphere.ts'
import { Growable } from '../index/typed-arrays.ts'
import type { Budget } from '../query/budget.ts'
import { allOf, compileFilters, type Test } from '../query/filters.ts'
import { selectFirst } from '../query/select-first.ts'
import { reservedTerm } from '../text/reserved-terms.ts'
import { Answers, type IntentWord, weightOf } from './answers.ts'
import { parseIntent } from './intent.ts'
import { documentsIn, type Place, placeAsked, placeNamed } from './places.ts'
import { closeness, ratingPart } from './recommendation-score.ts'
import { bounds, parts as weights } from './recommendation-weights.ts'

/** A place that is worth a closer look. */
export interface Candidate {
  readonly id: Id
  readonly closeness: number
  /** For each word of the intent how far the index says that it is answered, 0 to 1. */
  readonly answered: readonly number[]
}

/** What the index can say to an intent: the places worth a closer look, the best first, and what to look for in them. */
export interface Shortlist {
  readonly words: readonly IntentWord[]
  readonly tripType?: TripType
  readonly candidates: readonly Candidate[]
}

export type ShortlistOutcome = Shortlist | 'no_place' | 'geo_unknown'

/** Places of these are recommended only when somebody asks for such. */
const rarelyMeant = new Set<number>([topLevelCategories.indexOf('GEO'), topLevelCategories.indexOf('TRANSPORT')])

/** Narrows all places to the few worth a closer look. undefined: the budget ran out. */
export function shortlist(view: IndexView, query: RecommendationQuery, budget: Budget): ShortlistOutcome | undefined {
  const { categories, tripType, place: asked } = query
  const given = asked && placeAsked(view, asked, budget)
  if (asked && !given && 'geoId' in asked) return 'geo_unknown'
  const intent = parseIntent(query.text, (words, within) => placeNamed(view, words, budget, within), {
    ...(tripType !== undefined && { tripType }),
    ...(categories !== undefined && { categories }),
    placeGiven: asked !== undefined,
  })
  if (budget.exhausted) return undefined
  const place = given ?? intent.place
  if (!asked && !place) return 'no_place'
  const main = view.parts[0]!.segment
  const words = (intent.words.length > 0 ? intent.words : intent.kindWords).map(text => ({
    text,
    weight: weightOf(main, text),
  }))
  // The words of the kind are what every candidate answers.
  const scored = intent.words.length > 0
  const looks = view.parts.map(part => new Look(part, query, intent.kinds, place, scored ? words : []))
  const passing = new Passing()
  for (const [number, look] of looks.entries()) {
    look.collect(number, passing, budget)
    if (budget.exhausted) return undefined
  }
  return {
    words,
    ...(intent.tripType !== undefined && { tripType: intent.tripType }),
    candidates: passing.best(view.parts).map(([part, doc]) => looks[part]!.candidate(doc, words.length)),
  }
}

/** Places that pass, column by column: there may be a hundred thousand. */
class Passing {
  readonly part = new Growable(Uint8Array, 64)
  readonly doc = new Growable(Uint32Array, 64)
  readonly score = new Growable(Float64Array, 64)

  best(parts: readonly IndexPart[]): [part: number, doc: number][] {
    const [part, doc, score] = [this.part.view(), this.doc.view(), this.score.view()]
    const ranked = rankOrder(parts, part, doc)
    const before = (a: number, b: number) => (score[a] === score[b] ? ranked(a, b) : score[a]! > score[b]!)
    return selectFirst(doc.length, bounds.shortlist, before).map(i => [part[i]!, doc[i]!])
  }
}

/** One part of the index, looked at for one intent. */
class Look {
  readonly #part: IndexPart
  readonly #place: Place | undefined
  readonly #words: readonly IntentWord[]
  readonly #total: number
  readonly #answers: Answers
  readonly #passes: Test | undefined
  readonly #distanceTo: ((latitude: number, longitude: number) => number) | undefined

  constructor(
    part: IndexPart,
    query: RecommendationQuery,
    kinds: readonly string[],
    place: Place | undefined,
    words: readonly IntentWord[],
  ) {
    this.#part = part
    this.#place = place
    this.#words = words
    this.#total = words.reduce((sum, { weight }) => sum + weight, 0)
    this.#answers = new Answers(part.segment, words)
    this.#passes = filterOf(part, query, kinds)
    this.#distanceTo = place?.centre && distancesFrom(place.centre)
  }

  /** Adds the documents that pass, with a score of what the index alone can say. */
  collect(number: number, into: Passing, budget: Budget): void {
    if (!this.#place) return
    const docs = documentsIn(this.#part, this.#place, budget)
    budget.spend(docs.length * (this.#words.length > 0 ? 4 : 2))
    if (budget.exhausted) return
    const passes = this.#passes
    for (let i = 0; i < docs.length; i++) {
      const doc = docs[i]!
      if (passes !== undefined && !passes(doc)) continue
      into.part.push(number)
      into.doc.push(doc)
      into.score.push(this.#score(doc))
    }
  }

  candidate(doc: number, words: number): Candidate {
    return {
      id: this.#part.segment.arrays.id[doc]!,
      closeness: closeness(this.#km(doc)),
      answered: this.#answers.of(doc) ?? new Array<number>(words).fill(0),
    }
  }

  #score(doc: number): number {
    const { weightedRating, popularity } = this.#part.segment.arrays
    const answered = this.#answers.of(doc)?.reduce((sum, value, i) => sum + value * this.#words[i]!.weight, 0) ?? 0
    // Popularity stands for the number of ratings, which the index does not keep.
    return (
      weights.text * (this.#total > 0 ? answered / this.#total : 0) +
      weights.rating * ratingPart(weightedRating[doc]!) +
      weights.count * popularity[doc]! +
      weights.closeness * closeness(this.#km(doc))
    )
  }

  #km(doc: number): number | undefined {
    const { latitude, longitude } = this.#part.segment.arrays
    return this.#distanceTo?.(latitude[doc]! / unitsPerDegree, longitude[doc]! / unitsPerDegree)
  }
}

/** CLOSED places never; what the key sees, what is asked for and not excluded. */
function filterOf(
  { segment, dead }: IndexPart,
  query: RecommendationQuery,
  kinds: readonly string[],
): Test | undefined {
  const { arrays } = segment
  const { scope, categories, excluded } = query
  const sets = kinds.length === 0 ? undefined : setsOfKinds(segment, kinds)
  const out = new Set(excluded.map(id => segment.find(id)))
  const asksForNone = kinds.length === 0 && categories === undefined
  return allOf([
    doc => arrays.status[doc] !== statusCode.CLOSED && dead?.[doc] !== 1,
    sets && (doc => sets.has(arrays.labels[doc]!)),
    asksForNone ? doc => !rarelyMeant.has(arrays.category[doc]!) : undefined,
    compileFilters(segment, { scope, ...(categories && { categories }) }),
    out.size > 0 ? doc => !out.has(doc) : undefined,
  ])
}

/** The label sets with one of the kinds in them. */
function setsOfKinds({ terms, labels }: Segment, kinds: readonly string[]): ReadonlySet<number> {
  const sets = new Set<number>()
  for (const kind of kinds) {
    const term = terms.find(reservedTerm.category(kind))
    if (term < 0) continue
    for (let at = labels.termStart[term]!; at < labels.termStart[term + 1]!; at++) sets.add(labels.termGroups[at]!)
  }
  return sets
}
