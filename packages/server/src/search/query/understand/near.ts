import type { SearchQuery } from '../../../domain/search.ts'
import type { Budget } from '../../index/budget.ts'
import type { IndexView } from '../../index/index-view.ts'
import { nearPhraseAt } from '../../text/near-words.ts'
import { labelSetsOf } from '../label-sets.ts'
import { type KindSpan, kindSpans, kindsAlone } from './kinds-in-text.ts'
import { type Landmark, landmarkNamed } from './landmarks.ts'
import { documentsIn } from './place-documents.ts'
import { type PlaceLookup, placeOf } from './place-names.ts'
import type { ReadPlace } from './read-place.ts'
import type { QueryWords } from './wants.ts'

/** Text that asks for kinds of places near something: "hotels near the Prado". */
export interface NearSpan {
  /** Index of the first token of the phrase that means "near", and of the first token after it. */
  readonly at: number
  readonly from: number
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
    const kinds = kindsAlone(before)
    if (kinds.length === 0) return undefined
    const from = at + length
    const words = wordsAfter(all, from, isDropped)
    if (words.length === 0) return undefined
    const geo = lookUp(words)
    const landmark = landmarkNamed(view, words, near, budget) ?? airportOf(view, words, lookUp, budget)
    const around = landmark && circleAround(view, landmark, kinds, budget)
    if (geo === undefined) return around && { at, from, place: around }
    // "near the Prado": a town of that name counts first, if there is something near it.
    const namesakes = [...(geo.namesakes ?? []), ...(around ? [around] : [])]
    return { at, from, place: { ...geo, radiusKm: geo.radiusKm * furtherRadius, namesakes } }
  }
  return undefined
}

/** Returns the circle around the location bias for a text that asks for kinds of places "near me". */
export function nearMeIn(
  { near }: SearchQuery,
  all: readonly string[],
  { isDropped, wants }: QueryWords,
): NearSpan | undefined {
  if (!wants.nearMe || near === undefined) return undefined
  if (kindsAlone(all.filter((_, i) => !isDropped[i])).length === 0) return undefined
  const place = { names: [], centre: near, radiusKm: circle.max, popularity: 0, isCircle: true }
  return { at: all.length, from: all.length, place }
}

/** Returns the tokens from `from` on, without articles before and dropped words after them. */
function wordsAfter(all: readonly string[], from: number, isDropped: readonly boolean[]): readonly string[] {
  let end = all.length
  while (end > from + 1 && isDropped[end - 1]) end--
  const first = articles.has(all[from]!) && from + 1 < end ? from + 1 : from
  return all.slice(first, end)
}

/** Finds the first airport or station by rank of a city: "Oslo airport", "aeropuerto de Madrid". */
function airportOf(
  view: IndexView,
  words: readonly string[],
  lookUp: PlaceLookup,
  budget: Budget,
): Landmark | undefined {
  const [kind] = kindSpans(words)
  if (kind === undefined) return undefined
  const rest = words.filter((word, i) => (i < kind.from || i >= kind.to) && !(word === 'de' || word === 'of'))
  const city = rest.length === 0 ? undefined : lookUp(rest)
  if (city === undefined) return undefined
  for (const part of view.parts) {
    const sets = labelSetsOf(part.segment, kind.categories, budget)
    const docs = documentsIn(part, { ...city, radiusKm: Math.max(city.radiusKm, circle.max) }, budget)
    budget.spend(docs.length / 4)
    let first = -1
    for (const doc of docs) {
      const isBefore = first < 0 || doc < first
      if (isBefore && sets.has(part.segment.arrays.labels[doc]!) && part.dead?.[doc] !== 1) first = doc
    }
    if (first >= 0) return { segment: part.segment, doc: first }
  }
  return undefined
}

/** Returns a circle around the landmark behind a phrase that means "near", whatever precedes it. */
export function circleNear(view: IndexView, all: readonly string[], budget: Budget): NearSpan | undefined {
  for (let at = 1; at < all.length - 1; at++) {
    const length = nearPhraseAt(all, at)
    if (length === 0) continue
    const from = at + length
    const landmark = landmarkNamed(view, wordsAfter(all, from, []), undefined, budget)
    const kinds = kindSpans(all.slice(0, at))
    if (landmark) return { at, from, place: circleAround(view, landmark, kinds, budget) }
  }
  return undefined
}

/** Returns the circle around a landmark with enough places of the kinds. */
function circleAround(
  { parts }: IndexView,
  { segment, doc }: Landmark,
  kinds: readonly KindSpan[],
  budget: Budget,
): ReadPlace {
  const { centre, id } = placeOf(segment, doc)
  const place = { names: [], centre: centre!, popularity: 0, id: id! }
  const airports = labelSetsOf(segment, ['airport'], budget)
  const categories = kinds.flatMap(kind => kind.categories)
  let radiusKm: number = airports.has(segment.arrays.labels[doc]!) ? circle.airportKm : circle.radiusKm
  for (; radiusKm < circle.max; radiusKm = Math.min(circle.max, radiusKm * 2)) {
    let count = 0
    for (const part of parts) {
      const sets = labelSetsOf(part.segment, categories, budget)
      const docs = documentsIn(part, { ...place, radiusKm }, budget)
      budget.spend(docs.length / 4)
      for (const one of docs) if (sets.has(part.segment.arrays.labels[one]!) && part.dead?.[one] !== 1) count++
    }
    if (count > circle.enough) break
  }
  return { ...place, radiusKm, isCircle: true }
}
