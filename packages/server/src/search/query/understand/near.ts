import type { Point, SearchQuery } from '../../../domain/search.ts'
import type { Budget } from '../../index/budget.ts'
import type { IndexView } from '../../index/index-view.ts'
import { mayIntroduce, nearPhraseAt } from '../../text/near-words.ts'
import { labelSetsBelow, labelSetsOf } from '../label-sets.ts'
import { wordBreakVariants } from '../word-breaks.ts'
import { askedCategories, askedKinds } from './asked-kinds.ts'
import { airportOfCity, splitKind } from './city-airports.ts'
import { categoriesOf, kindSpans } from './kinds-in-text.ts'
import { type Landmark, landmarkNamed } from './landmarks.ts'
import { documentsIn } from './place-documents.ts'
import { type PlaceLookup, placeOf } from './place-names.ts'
import { createPlace, type ReadPlace } from './read-place.ts'
import type { QueryWords } from './wants.ts'

/** Text that asks for kinds of places near something: "hotels near the Prado". */
export interface NearSpan {
  /** Index of the first token of the phrase that means "near", and of the first token after it. */
  readonly at: number
  readonly from: number
  /** Words that name the place. */
  readonly words: readonly string[]
  readonly place: ReadPlace
}

/** Radius in kilometres around a landmark and around an airport; doubled up to `max` until `enough` places are found. */
const circle = { radiusKm: 2, airportKm: 8, max: 25, enough: 10 } as const
/** Part of its radius that is added around a city: "near Madrid". */
const furtherRadius = 1.5
const articles = new Set('the la le el los las den der dem des il lo o a'.split(' '))

/** Finds what the kinds of places in a text are near, and a circle around it with some of them. */
export function nearIn(
  view: IndexView,
  { near }: SearchQuery,
  all: readonly string[],
  { isDropped, isNearMe }: QueryWords,
  lookUp: PlaceLookup,
  budget: Budget,
): NearSpan | undefined {
  for (let at = 1; at < all.length - 1; at++) {
    const length = nearPhraseAt(all, at)
    if (length === 0 || isNearMe[at]) continue
    const before = all.slice(0, at).filter((_, i) => !isDropped[i])
    const kinds = askedCategories(askedKinds(before))
    if (kinds.length === 0) return undefined
    const from = at + length
    const words = wordsAfter(all, from, isDropped)
    if (words.length === 0 || !mayIntroduce(all.slice(at, from).join(' '), words)) return undefined
    const geo = lookUp(words)
    const landmark = findLandmark(view, words, near, lookUp, budget)
    const around = landmark && circleAround(view, landmark, kinds, budget)
    if (geo === undefined) return around && { at, from, words, place: around }
    // "near the Prado": a town of that name counts first, if there is something near it.
    const namesakes = [...(geo.namesakes ?? []), ...(around ? [around] : [])]
    return { at, from, words, place: { ...geo, radiusKm: geo.radiusKm * furtherRadius, namesakes } }
  }
  return undefined
}

/**
 * Minimum popularity of a city whose airport precedes another one with that name, and one with a longer name: 200,000
 * and 20,000 people.
 */
const minCity = { named: 0.6, longer: 0.42 } as const

/**
 * Finds the airport of a city, or the landmark with a name: written as one word or as two ("mccarran"), or without the
 * word for its kind ("aeropuerto de Barajas").
 */
function findLandmark(
  view: IndexView,
  words: readonly string[],
  near: Point | undefined,
  lookUp: PlaceLookup,
  budget: Budget,
): Landmark | undefined {
  const ofCity = airportOfCity(view, words, lookUp, budget)
  const named = landmarkNamed(view, words, near, budget)
  const minPopularity = named === undefined ? 0 : named.further === 0 ? minCity.named : minCity.longer
  if (ofCity !== undefined && ofCity.city.popularity >= minPopularity) return ofCity.landmark
  if (named !== undefined) return named
  for (const variant of wordBreakVariants(view.lexicon, words, budget)) {
    const found = landmarkNamed(view, variant, near, budget)
    if (found !== undefined) return found
  }
  const { kinds, rest } = splitKind(words)
  if (rest.length === 0) return undefined
  return landmarkNamed(view, rest, near, budget, kinds) ?? landmarkNamed(view, rest, near, budget)
}

/** Returns the circle around the location bias for a text that asks for kinds of places "near me". */
export function nearMeIn(
  { near }: SearchQuery,
  all: readonly string[],
  { isDropped, wants }: QueryWords,
): NearSpan | undefined {
  if (!wants.nearMe || near === undefined) return undefined
  if (askedKinds(all.filter((_, i) => !isDropped[i])).length === 0) return undefined
  const place = createPlace({ centre: near, radiusKm: circle.max, isCircle: true })
  return { at: all.length, from: all.length, words: [], place }
}

/** Returns the tokens from `from` on, without articles before and dropped words after them. */
function wordsAfter(all: readonly string[], from: number, isDropped: readonly boolean[]): readonly string[] {
  let end = all.length
  while (end > from + 1 && isDropped[end - 1]) end--
  const first = articles.has(all[from]!) && from + 1 < end ? from + 1 : from
  return all.slice(first, end)
}

/** Returns a circle around the landmark behind a phrase that means "near", whatever precedes it. */
export function circleNear(view: IndexView, all: readonly string[], budget: Budget): NearSpan | undefined {
  for (let at = 1; at < all.length - 1; at++) {
    const length = nearPhraseAt(all, at)
    if (length === 0) continue
    const from = at + length
    const words = wordsAfter(all, from, [])
    const landmark = landmarkNamed(view, words, undefined, budget)
    const kinds = categoriesOf(kindSpans(all.slice(0, at)))
    if (landmark) return { at, from, words, place: circleAround(view, landmark, kinds, budget) }
  }
  return undefined
}

/** Returns the circle around a landmark with enough places of the kinds. */
function circleAround(
  { parts }: IndexView,
  { segment, doc }: Landmark,
  kinds: readonly string[],
  budget: Budget,
): ReadPlace {
  const { centre, id } = placeOf(segment, doc)
  const place = createPlace({ centre, id })
  const airports = labelSetsOf(segment, ['airport'], budget)
  let radiusKm: number = airports.has(segment.arrays.labels[doc]!) ? circle.airportKm : circle.radiusKm
  for (; radiusKm < circle.max; radiusKm = Math.min(circle.max, radiusKm * 2)) {
    let count = 0
    for (const part of parts) {
      const sets = labelSetsBelow(part.segment, kinds, budget)
      const docs = documentsIn(part, { ...place, radiusKm }, budget)
      budget.spend(docs.length / 4)
      for (const one of docs) if (sets.has(part.segment.arrays.labels[one]!) && part.dead?.[one] !== 1) count++
    }
    if (count > circle.enough) break
  }
  return { ...place, radiusKm, isCircle: true }
}
