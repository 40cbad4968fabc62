import { findTopLevelCategory } from '../../domain/category.ts'
import { mapList } from '../../kit/map-list.ts'
import type { Budget } from '../index/budget.ts'
import type { IndexView } from '../index/index-view.ts'
import { reservedTerm } from '../text/reserved-terms.ts'
import type { Ranking } from './ranking.ts'
import { wideningSteps } from './similar-kinds.ts'
import { geosNamed } from './understand/place-names.ts'
import { createPlace, type ReadPlace } from './understand/read-place.ts'
import { nameReading, type Reading } from './understand/reading.ts'
import type { PlaceReading } from './understand/understand.ts'
import { quality } from './weights.ts'

/** Returns the readings of similar kinds in the place of a reading, the most similar first; empty without a kind. */
export function widenedReadings({ reading, isIntroduced }: PlaceReading): readonly Reading[] {
  const { kinds, words } = reading
  if (kinds.length === 0) return []
  const factor = reading.factor * quality.widened
  const withoutDishes = words.filter(({ isDish }) => !isDish)
  const isDish = withoutDishes.length > 0 && withoutDishes.length < words.length
  // The last step is a place of any kind.
  const steps = wideningSteps(kinds)
    .slice(1, -1)
    // "Sydney Opera House" is a name rather than a kind: no other sight is an answer.
    .filter(step => isIntroduced || !step.some(id => findTopLevelCategory(id.toLowerCase()) === id))
  return [
    ...(isDish ? [{ ...reading, factor, words: withoutDishes }] : []),
    ...steps.map(step => {
      const categories = step.map(reservedTerm.category)
      return { ...reading, factor, words: mapList(withoutDishes.slice(0, 1), word => ({ ...word, categories })) }
    }),
  ]
}

/** Radii in kilometres around a city in which kinds are looked for that it does not have nearby. */
const furtherKm = [25, 50, 100]

/** Returns the readings of kinds near a city in larger circles, the smallest first: "ski resorts near Reno". */
export function fartherReadings({ reading }: PlaceReading): readonly Reading[] {
  const { place, role, kinds } = reading
  if (role !== 'near' || place.centre === undefined || place.isCircle === true || kinds.length === 0) return []
  return furtherKm
    .filter(radiusKm => radiusKm > place.radiusKm)
    .map(radiusKm => ({ ...reading, place: { ...place, radiusKm } }))
}

/**
 * Adds the location of a place that a query names, or the cities, regions or countries of its name if it is known by
 * name alone. Returns the number of places that were added.
 */
export function addPlaceItself(
  view: IndexView,
  rankings: readonly Ranking[],
  { place, placeWords }: Pick<PlaceReading['reading'], 'place' | 'placeWords'>,
  budget: Budget,
): number {
  const lists = documentsOf(view, place, placeWords, budget)
  const byName: Reading = { ...nameReading([]), kind: 'place', type: 'NAME', factor: quality.placeOnly }
  const words = mapList(placeWords, text => ({
    text,
    same: [],
    isKind: false,
    isDish: false,
    unfinished: false,
    categories: [],
    country: undefined,
    regions: undefined,
    optional: false,
    where: false,
    required: false,
  }))
  const add = (reading: Reading) =>
    rankings.reduce(
      (sum, ranking) =>
        sum +
        ranking.addListed(
          reading,
          ranking.parts.map(({ number }) => lists[number]!),
        ),
      0,
    )
  // A name of the place in the text may be a code, or lack words.
  return add({ ...byName, words }) || add(byName)
}

/** Returns the documents of a place, listed by part. */
function documentsOf(
  view: IndexView,
  place: ReadPlace,
  words: readonly string[],
  budget: Budget,
): readonly Uint32Array[] {
  const { parts } = view
  const { country, regions } = place
  const ids = [place, ...(place.namesakes ?? [])].flatMap(({ id }) => id ?? [])
  if (ids.length > 0)
    return parts.map(({ segment }) => Uint32Array.from(ids.map(id => segment.find(id)).filter(doc => doc >= 0)).sort())
  const named = geosNamed(view, words, budget)
  return parts.map(({ segment }) => {
    const { arrays, facts } = segment
    const code = country === undefined ? 0 : facts.countries.indexOf(country) + 1
    const inRegions = regions && segment.regionsOf(regions)
    const docs = named.flatMap(one => (one.segment === segment ? [one.doc] : []))
    const isInside = (doc: number) =>
      (code === 0 || arrays.country[doc] === code) && (regions === undefined || inRegions?.[arrays.region[doc]!] === 1)
    return Uint32Array.from(docs.filter(isInside)).sort()
  })
}

/**
 * Returns the readings of the other words of a query as a whole name anywhere in the country of its place, and around
 * the place beyond a border: a museum in the Vatican is in Rome, too.
 */
export function wholeNamesElsewhere({ reading }: PlaceReading): readonly Reading[] {
  const { words, place, kinds } = reading
  const { centre, radiusKm, id } = place
  if (kinds.length > 0) return []
  const country = place.country ?? place.regions?.[0]?.slice(0, 2)
  const places: ReadPlace[] = [
    ...(country === undefined ? [] : [createPlace({ country })]),
    ...(centre === undefined ? [] : [createPlace({ centre, radiusKm, id })]),
  ]
  return places.map(one => ({
    ...nameReading(words),
    kind: 'partial',
    scope: 'wholeNames',
    place: one,
    factor: quality.partial,
  }))
}
