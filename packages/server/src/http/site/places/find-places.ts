import { type Fault, isFault } from '../../../domain/fault.ts'
import type { Id } from '../../../domain/id.ts'
import type { LocationEntry } from '../../../domain/location.ts'
import type { RecommendationHit } from '../../../domain/recommendation.ts'
import { fullScope } from '../../../domain/scope.ts'
import { type Box, centreOf, type Filters, maxRanked, type Point, type QueryCaller } from '../../../domain/search.ts'
import { nearbyCatalog } from '../../../usecases/partner/nearby-locations.ts'
import type { FoundItem } from '../../../usecases/partner/read-hits.ts'
import { searchCatalog } from '../../../usecases/partner/search-locations.ts'
import { searchRecommendations } from '../../../usecases/partner/search-recommendations.ts'
import { formatCount } from '../../../web/parts/number.ts'
import { kilometresBetween } from '../../../web/place-words.ts'
import type { PlacePages } from './parts.ts'
import { type PlacesState, pageSize } from './query.ts'

/** A place of a page of results. */
export interface FoundPlace {
  readonly entry: LocationEntry
  readonly distanceKm?: number
  /** The part of a review that supports a recommendation. */
  readonly snippet?: string
  readonly isRecommended: boolean
}

/** A page of results. `kind` says how the places were found and ordered. */
export interface PlacesFound {
  readonly kind: 'text' | 'area' | 'near' | 'best'
  readonly places: readonly FoundPlace[]
  /** Number of places on all pages, without recommendations; of a text a lower bound if it is `maxRanked`. */
  readonly total: number
}

/** The whole world. */
export const worldBox: Box = { south: -90, west: -180, north: 90, east: 180 }
/** Radius of the places near the visitor, in kilometres. */
const nearRadiusKm = 10
/**
 * A text with at least this many words, and fewer results than `fewResults`, may describe what the visitor looks for.
 */
const minIntentWords = 3
const fewResults = 10
const maxRecommended = 10

/** Finds the places of a page: by text, in a box, around a point, or the best-rated ones of all. */
export async function findPlacesOfState(
  parts: PlacePages,
  query: PlacesState,
  caller: QueryCaller,
): Promise<PlacesFound | Fault> {
  const notReady = parts.index.notReady()
  if (notReady) return notReady
  return query.text === '' ? findInArea(parts, query, caller) : findByText(parts, query, caller)
}

const filtersOf = ({ categories, isOpenNow, minRating, priceLevels }: PlacesState, nowMs: number): Filters => ({
  ...(categories.length > 0 && { categories }),
  ...(isOpenNow && { openAtMs: nowMs }),
  ...(minRating !== undefined && { minRating }),
  ...(priceLevels.length > 0 && { priceLevels }),
})

const pageOf = ({ page }: PlacesState) => ({ offset: (page - 1) * pageSize, limit: pageSize })

async function findInArea(parts: PlacePages, query: PlacesState, caller: QueryCaller): Promise<PlacesFound | Fault> {
  const { near, box } = query
  const kind = box ? 'area' : near ? 'near' : 'best'
  const within = kind === 'near' ? { centre: near!, radiusKm: nearRadiusKm } : { box: box ?? worldBox }
  const request = { ...filtersOf(query, parts.clock.nowMs()), ...pageOf(query), within }
  const found = await nearbyCatalog(parts, { ...request, sort: kind === 'near' ? 'distance' : 'rating' }, caller)
  if (isFault(found)) return found
  return { kind, total: found.total, places: found.items.map(({ entry }) => toFound(entry, near)) }
}

async function findByText(parts: PlacePages, query: PlacesState, caller: QueryCaller): Promise<PlacesFound> {
  const { text, box, near = box && centreOf(box) } = query
  const nowMs = parts.clock.nowMs()
  const search = { text, ...filtersOf(query, nowMs), nowMs, ...(near && { near }), ...pageOf(query) }
  const { items, total } = await searchCatalog(parts, search, caller)
  const recommended = await recommend(parts, query, total, caller)
  const known = new Set<Id>(recommended.map(({ entry }) => entry.id))
  const matching = items.filter(({ entry }) => !known.has(entry.id)).map(({ entry }) => toFound(entry, query.near))
  return { kind: 'text', total, places: [...recommended, ...matching] }
}

/**
 * Recommends places for a text that few names match and that says what the visitor looks for: "romantic dinner in
 * Madrid".
 */
async function recommend(
  parts: PlacePages,
  { text, page, categories, near, isOpenNow, minRating, priceLevels }: PlacesState,
  total: number,
  caller: QueryCaller,
): Promise<FoundPlace[]> {
  const isFiltered = isOpenNow || minRating !== undefined || priceLevels.length > 0
  if (page > 1 || isFiltered || total >= fewResults || text.split(/\s+/).length < minIntentWords) return []
  const request = {
    text,
    excluded: [],
    languages: ['en'],
    limit: maxRecommended,
    nowMs: parts.clock.nowMs(),
    ...(categories.length > 0 && { categories }),
  }
  const inText = await searchRecommendations(parts, fullScope, request, caller)
  const found =
    isFault(inText) && near
      ? await searchRecommendations(
          parts,
          fullScope,
          { ...request, destination: { centre: near, radiusKm: nearRadiusKm } },
          caller,
        )
      : inText
  return isFault(found) ? [] : found.map(item => toRecommended(item, near))
}

function toRecommended({ entry, hit }: FoundItem<RecommendationHit>, near: Point | undefined): FoundPlace {
  const [reason] = hit.reasons
  return { ...toFound(entry, near), isRecommended: true, ...(reason && { snippet: reason.snippet }) }
}

const toFound = (entry: LocationEntry, near: Point | undefined): FoundPlace => ({
  entry,
  isRecommended: false,
  ...(near && { distanceKm: kilometresBetween(near, entry.location().coordinates) }),
})

/** Returns the number of places as text. */
export const totalText = ({ kind, total }: PlacesFound): string =>
  kind === 'text' && total >= maxRanked ? '10,000 or more places' : formatCount(total, 'place')
