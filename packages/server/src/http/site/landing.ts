import { topLevelCategories } from '../../domain/category.ts'
import { isFault } from '../../domain/fault.ts'
import type { PackageTable } from '../../domain/package.ts'
import type { Filters } from '../../domain/search.ts'
import type { Clock } from '../../kit/clock.ts'
import { ThreadUnavailable } from '../../kit/thread-unavailable.ts'
import { nearbyCatalog } from '../../usecases/partner/nearby-locations.ts'
import type { MapMarker } from '../../web/parts/map.ts'
import type { WebDocument } from '../wire/http-response.ts'
import { explainBusy } from './busy-page.ts'
import { type LandingData, type LandingSettings, toLandingPage } from './landing-page.ts'
import { type SitePage, toPageDocument } from './page.ts'
import { worldBox } from './places/find-places.ts'
import type { PlacePages } from './places/parts.ts'
import { placeMarker } from './places/place-item.ts'

/** Places on the map of the landing page. */
const shownPlaces = 500
/** Kinds of places on the map: cities and regions are known, but are no places to go to. */
const shownKinds = topLevelCategories.filter(name => name !== 'GEO')
/** Time for which the page is kept, in microseconds. */
const keptUs = 600_000_000

/** The sources of the landing page. */
export interface LandingParts {
  readonly places: Omit<PlacePages, 'clock' | 'settings'>
  readonly offer: PackageTable
  readonly clock: Clock
  readonly settings: LandingSettings
}

/**
 * Creates the landing page. It is made at most once in ten minutes, because it asks for the best-known places of all.
 * While its query finds no place in the queue of long queries, the previous page is served, or 503 before the first
 * one.
 */
export function createLandingPage(parts: LandingParts): SitePage {
  let kept: { readonly document: WebDocument; readonly untilUs: number } | undefined
  let making: Promise<WebDocument> | undefined
  const remake = async () => {
    const untilUs = parts.clock.monotonicUs() + keptUs
    const document = await make(parts)
    kept = { document, untilUs }
    return document
  }
  const get = async () => {
    if (parts.places.index.notReady()) return make(parts)
    if (kept && parts.clock.monotonicUs() < kept.untilUs) return kept.document
    making ??= remake().finally(() => (making = undefined))
    try {
      return await making
    } catch (error) {
      if (kept && error instanceof ThreadUnavailable) return kept.document
      throw error
    }
  }
  return { path: '/', get: () => explainBusy(parts.settings, '/', get) }
}

async function make(parts: LandingParts): Promise<WebDocument> {
  return toPageDocument(toLandingPage(parts.settings, await collect(parts)), parts.settings)
}

async function collect(parts: LandingParts): Promise<LandingData> {
  const { places, offer, settings } = parts
  const notReady = places.index.notReady()
  // While the index is built, the number of places is unknown, but not zero.
  const unknown = { items: [], total: Number.NaN }
  const [all, best] = notReady ? [unknown, unknown] : [await ask(places, 1), await ask(places, shownPlaces, shownKinds)]
  const words = { ...parts, ...places }
  return {
    total: all.total,
    markers: settings.site.has.places
      ? best.items.map(({ entry }): MapMarker => ({ ...placeMarker(entry, '', words), kind: 'dot' }))
      : [],
    exampleId: String((best.items[0] ?? all.items[0])?.entry.id ?? 1),
    version: places.version(),
    offer,
  }
}

/** Finds the best-known places of the world and counts all of them. */
async function ask(places: LandingParts['places'], limit: number, categories?: Filters['categories']) {
  const query = { within: { box: worldBox }, sort: 'popularity', offset: 0, limit } as const
  const caller = { subject: 'landing page', isGone: () => false }
  const found = await nearbyCatalog(places, { ...query, ...(categories && { categories }) }, caller)
  return isFault(found) ? { items: [], total: Number.NaN } : found
}
