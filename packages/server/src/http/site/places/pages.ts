import { isFault } from '../../../domain/fault.ts'
import { parseId } from '../../../domain/id.ts'
import type { LocationEntry } from '../../../domain/location.ts'
import { fullScope } from '../../../domain/scope.ts'
import type { QueryCaller } from '../../../domain/search.ts'
import { getCatalogLocation } from '../../../usecases/partner/get-catalog-location.ts'
import { listReviews } from '../../../usecases/partner/list-reviews.ts'
import { nearbyCatalog } from '../../../usecases/partner/nearby-locations.ts'
import { kilometresBetween } from '../../../web/place-words.ts'
import type { HandledRequest } from '../../wire/http-response.ts'
import { explainBusy, toFaultPage } from '../busy-page.ts'
import { type SiteAnswer, type SitePage, type SiteRequest, toPageDocument } from '../page.ts'
import { toMissingPlace, toRefusedVisit } from './failed-pages.ts'
import { type FoundPlace, findPlacesOfState } from './find-places.ts'
import { toListPage } from './list-page.ts'
import { findMapNames } from './map-names.ts'
import type { PlacePages } from './parts.ts'
import { placeLink } from './place-item.ts'
import { toPlacePage } from './place-page.ts'
import { readPlacesQuery } from './query.ts'
import { toListArgs, toReviewsPage } from './reviews-page.ts'
import { readReviewsQuery } from './reviews-query.ts'
import { createVisitorLimits } from './visitors.ts'

/** Radius in which a page lists the nearest places, in kilometres; that of a city or region is larger. */
const nearbyKm = { place: 5, geo: 30 }
const nearbyPlaces = 10
const newestReviews = 3

/** Creates the pages about places: search with a map, a page per place, and its reviews. */
export function createPlacePages(parts: PlacePages): SitePage[] {
  const limits = createVisitorLimits(parts.clock, parts.visitorBuckets)
  const limited = (path: string, isSearch: boolean, get: SitePage['get']): SitePage => ({
    path,
    get: request => {
      const retryAfterS = limits.admit(request.address, isSearch)
      return retryAfterS === undefined
        ? explainBusy(parts.settings, '/places', () => get(request))
        : toRefusedVisit(parts, retryAfterS)
    },
  })
  return [
    limited('/places', true, request => showList(parts, request)),
    limited('/places/names.json', true, request => showNames(parts, request)),
    limited('/places/:id', true, request => showPlace(parts, request)),
    limited('/places/:id/reviews', false, request => showReviews(parts, request)),
  ]
}

/**
 * All visitors together are one subject of the queue of long queries, so that they never take the places of keys
 * (R-56).
 */
const callerOf = ({ isGone }: SiteRequest): QueryCaller => ({ subject: 'visitors', isGone })

async function showList(parts: PlacePages, request: SiteRequest): Promise<SiteAnswer> {
  const query = readPlacesQuery(request.query)
  const [found, chosen] = await Promise.all([
    findPlacesOfState(parts, query, callerOf(request)),
    query.id === undefined ? undefined : getCatalogLocation(parts.locations, query.id),
  ])
  if (isFault(found)) return toFaultPage(parts.settings, '/places', found)
  const place = chosen && !isFault(chosen) ? chosen : undefined
  const ignored = query.id !== undefined && !place ? [...query.ignored, 'id'] : query.ignored
  return toPageDocument(toListPage({ ...query, ignored }, found, place, parts), parts.settings)
}

function showNames(parts: PlacePages, request: SiteRequest): SiteAnswer | Promise<SiteAnswer> {
  const { box } = readPlacesQuery(request.query)
  const zoom = Number(request.query.get('zoom') ?? '')
  return box && findMapNames(parts, box, Number.isFinite(zoom) ? zoom : 0, callerOf(request))
}

/** Returns the place of a path, or the answer in its place: 404, or a redirect to the survivor of a merge. */
async function findPlace(
  parts: PlacePages,
  { params }: SiteRequest,
  rest = '',
): Promise<LocationEntry | HandledRequest> {
  const id = parseId(params.id!)
  const entry = id === undefined ? undefined : await getCatalogLocation(parts.locations, id)
  if (!entry || isFault(entry)) return toMissingPlace(parts)
  if (entry.id === id) return entry
  const headers = { Location: placeLink(entry, parts) + rest, 'Cache-Control': 'no-cache' }
  return { response: { status: 308, headers, body: Buffer.alloc(0) } }
}

async function showPlace(parts: PlacePages, request: SiteRequest): Promise<SiteAnswer> {
  const entry = await findPlace(parts, request)
  if ('response' in entry) return entry
  const listed = { sortBy: 'MOST_RECENT', page: 1, size: newestReviews } as const
  const [nearby, found] = await Promise.all([
    findNearby(parts, entry, callerOf(request)),
    listReviews(parts, fullScope, entry.id, listed),
  ])
  if (isFault(found)) return toMissingPlace(parts)
  const context = { nearby, reviews: found.reviews, totalReviews: found.total }
  return toPageDocument(toPlacePage(entry, context, parts), parts.settings)
}

/** Returns the nearest places; for a city or region the best-rated ones in it. */
async function findNearby(parts: PlacePages, entry: LocationEntry, caller: QueryCaller): Promise<FoundPlace[]> {
  const centre = entry.location().coordinates
  const isGeo = entry.category === 'GEO'
  const found =
    parts.index.notReady() ??
    (await nearbyCatalog(
      parts,
      {
        within: { centre, radiusKm: isGeo ? nearbyKm.geo : nearbyKm.place },
        categories: ['HOTEL', 'RESTAURANT', 'ATTRACTION', 'TRANSPORT', 'OTHER'],
        sort: isGeo ? 'rating' : 'distance',
        offset: 0,
        limit: nearbyPlaces + 1,
      },
      caller,
    ))
  if (isFault(found)) return []
  return found.items
    .filter(item => item.entry.id !== entry.id)
    .slice(0, nearbyPlaces)
    .map(item => ({
      entry: item.entry,
      isRecommended: false,
      distanceKm: kilometresBetween(centre, item.entry.location().coordinates),
    }))
}

async function showReviews(parts: PlacePages, request: SiteRequest): Promise<SiteAnswer> {
  const entry = await findPlace(parts, request, '/reviews')
  if ('response' in entry) return entry
  const query = readReviewsQuery(request.query)
  const found = await listReviews(parts, fullScope, entry.id, toListArgs(query))
  return isFault(found) ? toMissingPlace(parts) : toPageDocument(toReviewsPage(query, found, parts), parts.settings)
}
