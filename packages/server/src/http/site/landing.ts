import { isFault } from '../../domain/fault.ts'
import type { PackageTable } from '../../domain/package.ts'
import type { Clock } from '../../kit/clock.ts'
import { nearbyCatalog } from '../../usecases/partner/nearby-locations.ts'
import type { MapMarker } from '../../web/parts/map.ts'
import type { WebDocument } from '../wire/http-response.ts'
import { type LandingData, type LandingSettings, toLandingPage } from './landing-page.ts'
import { type Page, toPageDocument } from './page.ts'
import { worldBox } from './places/find-places.ts'
import type { PlacePages } from './places/parts.ts'
import { placeMarker } from './places/place-item.ts'

/** Places on the map of the landing page. */
const shownPlaces = 500
/** Time for which the page is kept, in microseconds. */
const keptUs = 600_000_000

/** The sources of the landing page. */
export interface LandingParts {
  readonly places: Omit<PlacePages, 'clock' | 'settings'>
  readonly offer: PackageTable
  readonly clock: Clock
  readonly settings: LandingSettings
}

/** Creates the landing page. It is made at most once in ten minutes, because it asks for the best places of all. */
export function createLandingPage(parts: LandingParts): Page {
  let kept: { readonly document: Promise<WebDocument>; readonly untilUs: number } | undefined
  return {
    path: '/',
    get: () => {
      if (parts.places.index.notReady()) return make(parts)
      const nowUs = parts.clock.monotonicUs()
      if (!kept || nowUs >= kept.untilUs) {
        kept = { document: make(parts), untilUs: nowUs + keptUs }
        // A page that could not be made is not kept.
        kept.document.catch(() => (kept = undefined))
      }
      return kept.document
    },
  }
}

async function make(parts: LandingParts): Promise<WebDocument> {
  return toPageDocument(toLandingPage(parts.settings, await collect(parts)), parts.settings.site)
}

async function collect(parts: LandingParts): Promise<LandingData> {
  const { places, offer, settings } = parts
  const query = { within: { box: worldBox }, sort: 'rating', offset: 0, limit: shownPlaces } as const
  // While the index is built, the number of places is unknown, but not zero.
  const unknown = { items: [], total: Number.NaN }
  const asked =
    places.index.notReady() ?? (await nearbyCatalog(places, query, { subject: 'landing page', isGone: () => false }))
  const { items, total } = isFault(asked) ? unknown : asked
  const words = { ...parts, ...places }
  return {
    total,
    markers: settings.site.has.places
      ? items.map(({ entry }): MapMarker => ({ ...placeMarker(entry, '', words), kind: 'dot' }))
      : [],
    exampleId: String(items[0]?.entry.id ?? 1),
    version: places.version(),
    offer,
  }
}
