import { topLevelCategories } from '../../domain/category.ts'
import type { Id } from '../../domain/id.ts'
import type { Wants } from '../../domain/interpretation.ts'
import type { RecommendationQuery } from '../../domain/recommendation.ts'
import type { TripType } from '../../domain/review.ts'
import { Growable } from '../../kit/growable.ts'
import type { Budget } from '../index/budget.ts'
import { type IndexPart, type IndexView, rankOrder } from '../index/index-view.ts'
import { unitsPerDegree } from '../index/regions.ts'
import { statusCode } from '../index/segment.ts'
import { distancesFrom } from '../index/sphere.ts'
import { allOf, compileFilters, type Test } from '../query/filters.ts'
import { labelSetsOf } from '../query/label-sets.ts'
import { selectPage } from '../query/select-page.ts'
import { wideningSteps } from '../query/similar-kinds.ts'
import { circleNear } from '../query/understand/near.ts'
import { documentsIn } from '../query/understand/place-documents.ts'
import { findPlace, placeNamed } from '../query/understand/place-names.ts'
import type { ReadPlace } from '../query/understand/read-place.ts'
import { compileWants, type WantedFacts } from '../query/wanted-facts.ts'
import { wordIdea } from './ideas.ts'
import { parseIntent } from './intent.ts'
import { IntentMatcher, type WeightedIdea, weightOf } from './intent-matcher.ts'
import { closeness, ratingPart } from './recommendation-score.ts'
import { bounds, partWeights, wideningFactor } from './recommendation-weights.ts'

/** Places of a shortlist in columns, best first, because there may be thousands of them. */
export interface Candidates {
  readonly ids: BigUint64Array
  /** Score that the index determines. */
  readonly scores: Float64Array
  /** 0 to 1. */
  readonly closeness: Float64Array
  /** Bonus for facts that the text prefers. */
  readonly wanted: Float64Array
  /** For each place, the strength of the match of each idea of the intent with names and labels, 0 to 1. */
  readonly strengths: Float64Array
  /** Factor on the score; below 1 for places of other kinds than those that were asked for. */
  readonly factors: Float64Array
}

/** Result of the index for a query: the places to rank, best first, and the ideas to look for in their texts. */
export interface Shortlist {
  readonly ideas: readonly WeightedIdea[]
  readonly tripType?: TripType
  readonly candidates: Candidates
}

/** Shortlist, or the reason why there is no destination; see `RecommendationOutcome`. */
export type ShortlistOutcome = Shortlist | 'no_destination' | 'geo_unknown'

/** Categories that are recommended only on request: their index in `topLevelCategories`. */
const onRequestOnly = new Set<number>([topLevelCategories.indexOf('GEO'), topLevelCategories.indexOf('TRANSPORT')])

/** Selects up to `bounds.pool` places by what the index contains, within a budget. */
export function shortlist(view: IndexView, query: RecommendationQuery, budget: Budget): ShortlistOutcome {
  const { categories, tripType } = query
  budget.spend(query.text.length)
  const requested = query.destination && findPlace(view, query.destination, budget)
  if (query.destination && !requested && 'geoId' in query.destination) return 'geo_unknown'
  const intent = parseIntent(query.text, (words, within) => placeNamed(view, words, budget, { within }), {
    ...(tripType !== undefined && { tripType }),
    ...(categories !== undefined && { categories }),
    hasDestination: query.destination !== undefined,
    findNear: all => circleNear(view, all, budget),
  })
  const destination = requested ?? intent.destination
  if (!query.destination && !destination) return 'no_destination'
  const ideas = (intent.ideas.length > 0 ? intent.ideas : intent.categoryWords.map(wordIdea)).map(idea => ({
    ...idea,
    weight: weightOf(view.lexicon, idea.text),
  }))
  // All candidates match the words of the category, so that these words do not affect their order.
  const scored = intent.ideas.length > 0 ? ideas : []
  const scansOf = (place: ReadPlace | undefined) =>
    view.parts.map(part => new PartScan(part, query, place, { ...intent, ideas: scored }, budget))
  const { scans, passing } = collectFirst(destination, scansOf, wideningSteps(intent.categories), query.limit)
  budget.spend(passing.doc.length / 2)
  return {
    ideas,
    ...(intent.tripType !== undefined && { tripType: intent.tripType }),
    candidates: candidatesOf(passing, view.parts, scans, ideas.length),
  }
}

/** Places that have been collected, and the scans that have found them. */
interface Collected {
  readonly scans: readonly PartScan[]
  readonly passing: Passing
}

/**
 * Collects places in a destination; if it has none of the kinds, in the next one of the same name, and places of any
 * kind only if none of them has.
 */
function collectFirst(
  destination: ReadPlace | undefined,
  scansOf: (place: ReadPlace | undefined) => readonly PartScan[],
  steps: readonly (readonly string[])[],
  limit: number,
): Collected {
  const places = [destination, ...(destination?.namesakes ?? [])]
  const ofKinds = steps.slice(0, -1)
  for (const tried of ofKinds.length > 0 && places.length > 1 ? [ofKinds, steps] : [steps]) {
    for (const place of places) {
      const scans = scansOf(place)
      const passing = collectPlaces(scans, tried, limit)
      if (passing.doc.length > 0) return { scans, passing }
    }
  }
  return { scans: [], passing: new Passing() }
}

/**
 * Collects the places of the first kinds; as long as they are fewer than `limit`, also those of the next step, and places
 * of any kind only if there are no others.
 */
function collectPlaces(scans: readonly PartScan[], steps: readonly (readonly string[])[], limit: number): Passing {
  const passing = new Passing()
  for (const [step, kinds] of steps.entries()) {
    for (const [number, scan] of scans.entries()) scan.collect(number, kinds, step, passing)
    const isLast = steps[step + 1]?.length === 0
    if (passing.doc.length >= limit || (isLast && passing.doc.length > 0)) break
  }
  return passing
}

/** Documents that pass the filters, as columns, because there may be 100,000 of them. */
class Passing {
  /** Index of the part in the view. */
  readonly part = new Growable(Uint8Array, 64)
  readonly doc = new Growable(Uint32Array, 64)
  readonly score = new Growable(Float64Array, 64)
  /** Step from the kinds that were asked for to others; see kinds.ts. */
  readonly step = new Growable(Uint8Array, 64)

  /** Returns the positions of the documents with the highest scores, then by rank. */
  best(parts: readonly IndexPart[]): number[] {
    const [part, doc, score] = [this.part.view(), this.doc.view(), this.score.view()]
    const byRank = rankOrder(parts, part, doc)
    const isBefore = (a: number, b: number) => (score[a] === score[b] ? byRank(a, b) : score[a]! > score[b]!)
    return selectPage(doc.length, { offset: 0, limit: bounds.pool }, isBefore)
  }
}

/** Returns the best documents as candidates; `ideas` is the number of ideas of the shortlist. */
function candidatesOf(
  passing: Passing,
  parts: readonly IndexPart[],
  scans: readonly PartScan[],
  ideas: number,
): Candidates {
  const best = passing.best(parts)
  const [part, doc, score, step] = [passing.part, passing.doc, passing.score, passing.step].map(column => column.view())
  const scanOf = (i: number) => scans[part![i]!]!
  const strengths = new Float64Array(best.length * ideas)
  for (const [at, i] of best.entries()) {
    const found = scanOf(i).strengthsOf(doc![i]!)
    if (found) strengths.set(found, at * ideas)
  }
  return {
    ids: BigUint64Array.from(best, i => scanOf(i).idOf(doc![i]!)),
    scores: Float64Array.from(best, i => score![i]!),
    closeness: Float64Array.from(best, i => scanOf(i).closenessOf(doc![i]!)),
    wanted: Float64Array.from(best, i => scanOf(i).wantedOf(doc![i]!)),
    strengths,
    factors: Float64Array.from(best, i => wideningFactor ** step![i]!),
  }
}

/** Scan of one part of the index for candidates. */
class PartScan {
  readonly #part: IndexPart
  readonly #destination: ReadPlace | undefined
  readonly #query: RecommendationQuery
  readonly #ideas: readonly WeightedIdea[]
  /** Documents that earlier steps have collected. */
  readonly #collected = new Set<number>()
  /** Total weight of the ideas. */
  readonly #total: number
  readonly #matcher: IntentMatcher
  readonly #wanted: WantedFacts | undefined
  readonly #budget: Budget
  readonly #distanceTo: ((latitude: number, longitude: number) => number) | undefined

  constructor(
    part: IndexPart,
    query: RecommendationQuery,
    destination: ReadPlace | undefined,
    { ideas, wants }: { readonly ideas: readonly WeightedIdea[]; readonly wants: Wants },
    budget: Budget,
  ) {
    this.#part = part
    this.#budget = budget
    this.#destination = destination
    this.#query = query
    this.#ideas = ideas
    this.#total = ideas.reduce((sum, { weight, isUnwanted }) => sum + (isUnwanted ? 0 : weight), 0)
    this.#matcher = new IntentMatcher(part.segment, ideas, budget)
    this.#wanted = compileWants(part.segment, wants, query.nowMs, budget)
    this.#distanceTo = destination?.centre && distancesFrom(destination.centre)
  }

  /**
   * Adds the documents in the destination that are of the kinds of a step and pass the filters, with the score that the
   * index determines, and that no earlier step has added.
   */
  collect(number: number, kinds: readonly string[], step: number, into: Passing): void {
    if (!this.#destination) return
    const docs = documentsIn(this.#part, this.#destination, this.#budget)
    const passes = filterOf(this.#part, this.#query, this.#destination, kinds, this.#budget)
    const factor = wideningFactor ** step
    const stepsPerDocument = this.#ideas.length > 0 ? 4 : 2
    this.#budget.require(docs.length * stepsPerDocument)
    for (let i = 0; i < docs.length; i++) {
      this.#budget.spend(stepsPerDocument)
      const doc = docs[i]!
      if ((passes !== undefined && !passes(doc)) || this.#collected.has(doc)) continue
      this.#collected.add(doc)
      into.part.push(number)
      into.doc.push(doc)
      into.score.push(this.#score(doc) * factor)
      into.step.push(step)
    }
  }

  idOf(doc: number): Id {
    return this.#part.segment.arrays.id[doc]!
  }

  closenessOf(doc: number): number {
    return closeness(this.#km(doc))
  }

  /** Returns what the score of a document gains by facts that the text prefers. */
  wantedOf(doc: number): number {
    return this.#wanted?.bonusOf(doc) ?? 0
  }

  /** Returns the strength of the match of each idea; undefined if none matches. */
  strengthsOf(doc: number): readonly number[] | undefined {
    return this.#matcher.strengthsOf(doc)
  }

  #score(doc: number): number {
    const { weightedRating, prominence } = this.#part.segment.arrays
    const strengths = this.#matcher.strengthsOf(doc)
    const matched = strengths?.reduce((sum, strength, i) => sum + strength * this.#ideas[i]!.weight, 0) ?? 0
    // The prominence replaces the number of ratings, which the index does not contain.
    return (
      partWeights.text * (this.#total > 0 ? matched / this.#total : 0) +
      partWeights.rating * ratingPart(weightedRating[doc]!) +
      partWeights.count * prominence[doc]! +
      partWeights.closeness * this.closenessOf(doc) +
      this.wantedOf(doc)
    )
  }

  /** Returns the distance from the centre of the destination in kilometres, if it has one. */
  #km(doc: number): number | undefined {
    const { latitude, longitude } = this.#part.segment.arrays
    return this.#distanceTo?.(latitude[doc]! / unitsPerDegree, longitude[doc]! / unitsPerDegree)
  }
}

/** Compiles the filters: live, not CLOSED, in scope, of the requested categories, not excluded. */
function filterOf(
  { segment, dead }: IndexPart,
  query: RecommendationQuery,
  { isCircle, id }: ReadPlace,
  intentCategories: readonly string[],
  budget: Budget,
): Test | undefined {
  const { arrays } = segment
  const { scope, categories, categoryIds, attributes, excluded } = query
  const sets = intentCategories.length === 0 ? undefined : labelSetsOf(segment, intentCategories, budget)
  // The landmark of "hotels near the Prado" is not one of them.
  const landmark = isCircle && id !== undefined ? [id] : []
  const excludedDocs = new Set([...excluded, ...landmark].map(id => segment.find(id)))
  const hasCategory = intentCategories.length > 0 || categories !== undefined || categoryIds !== undefined
  return allOf([
    doc => arrays.status[doc] !== statusCode.CLOSED && dead?.[doc] !== 1,
    sets && (doc => sets.has(arrays.labels[doc]!)),
    hasCategory ? undefined : doc => !onRequestOnly.has(arrays.category[doc]!),
    compileFilters(
      segment,
      {
        scope,
        ...(categories && { categories }),
        ...(categoryIds && { categoryIds }),
        ...(attributes && { attributes }),
      },
      budget,
    ),
    excludedDocs.size > 0 ? doc => !excludedDocs.has(doc) : undefined,
  ])
}
