import type { PackageTable } from '../../domain/package.ts'
import type { MapMarker } from '../../web/parts/map.ts'
import type { WebDocument } from '../wire/http-response.ts'
import type { BestKnown, KnownPlaces } from './best-known.ts'
import { explainBusy } from './busy-page.ts'
import { type LandingSettings, toLandingPage } from './landing-page.ts'
import { type SitePage, toPageDocument } from './page.ts'
import type { PlacePages } from './places/parts.ts'
import { placeMarker } from './places/place-item.ts'

/** The sources of the landing page. */
export interface LandingParts {
  readonly bestKnown: BestKnown
  readonly places: Pick<PlacePages, 'zoneAt' | 'version'>
  readonly offer: PackageTable
  readonly clock: PlacePages['clock']
  readonly settings: LandingSettings
}

/**
 * Creates the landing page. It is made again when the best-known places have been found again; before they are found
 * for the first time, it is 503 while their query finds no place in the queue of long queries.
 */
export function createLandingPage(parts: LandingParts): SitePage {
  let kept: { readonly document: WebDocument; readonly known: KnownPlaces } | undefined
  const get = async () => {
    const known = await parts.bestKnown.get()
    if (kept?.known !== known) kept = { document: makeDocument(parts, known), known }
    return kept.document
  }
  return { path: '/', get: () => explainBusy(parts.settings, '/', get) }
}

function makeDocument(
  { places, offer, clock, settings }: LandingParts,
  { total, places: known, exampleIds }: KnownPlaces,
): WebDocument {
  const words = { ...places, clock, settings }
  const markers = settings.site.has.places
    ? known.map((entry): MapMarker => ({ ...placeMarker(entry, '', words), kind: 'dot' }))
    : []
  const data = { total, markers, exampleId: String(exampleIds[0] ?? 1), version: places.version(), offer }
  return toPageDocument(toLandingPage(settings, data), settings)
}
