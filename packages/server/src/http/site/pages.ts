import type { IncomingHttpHeaders } from 'node:http'
import { fault } from '../../domain/fault.ts'
import type { PackageTable } from '../../domain/package.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Lifecycle } from '../../versions/lifecycle.ts'
import { getHealth, getReadiness, type Readiness } from '../admin/health.ts'
import type { HttpResponse, Outcome, WebDocument } from '../wire/http-response.ts'
import { RenderedBody } from '../wire/rendered.ts'
import { represent } from '../wire/represent.ts'
import { createAssetPages } from './assets.ts'
import { createBestKnown } from './best-known.ts'
import { createDocsPages, type DocsSettings } from './docs/docs-pages.ts'
import { createFeedPages, type FeedDocuments } from './feed-pages.ts'
import { renderIcon } from './icons.ts'
import { createLandingPage } from './landing.ts'
import type { LandingSettings } from './landing-page.ts'
import type { SiteAnswer, SitePage } from './page.ts'
import { createPhotoPages, type PhotoPages } from './photo-pages.ts'
import { createPlacePages } from './places/pages.ts'
import type { PlacePages } from './places/parts.ts'
import { createRobotsFile } from './robots.ts'
import { createStatusPage, type StatusParts } from './status-page.ts'

/** The parts of the service that its public pages describe. */
export interface SiteParts {
  readonly lifecycle: Lifecycle
  readonly clock: Clock
  readonly feedDocuments: FeedDocuments
  readonly offer: PackageTable
  readonly places: Omit<PlacePages, 'clock' | 'settings'>
  readonly status: Pick<StatusParts, 'feeds' | 'lastChangeMs' | 'isSearchReady'>
  /** The pictures of photos; undefined if the service keeps none. */
  readonly photos: PhotoPages | undefined
  readonly settings: LandingSettings & DocsSettings
}

/** Creates all pages that require no key. */
export function createPages(parts: SiteParts, readiness: Readiness): SitePage[] {
  const { settings } = parts
  const { site } = settings
  const assets = createAssetPages(site.assets)
  const robots = createRobotsFile(site)
  const bestKnown = createBestKnown(parts.places, parts.clock)
  return [
    createLandingPage({ ...parts, bestKnown }),
    { path: '/healthz', get: getHealth },
    { path: '/readyz', get: () => getReadiness(readiness) },
    { path: '/icons/*', get: ({ params }) => getIcon(params['*']!) },
    { path: '/assets/*', get: ({ params }) => assets(params['*']!) },
    { path: '/favicon.ico', get: () => assets('favicon.ico') },
    { path: '/robots.txt', get: () => robots },
    ...(site.has.places ? createPlacePages({ ...parts.places, ...parts }) : []),
    ...(site.has.status ? [createStatusPage({ ...parts, ...parts.status, readiness })] : []),
    ...createDocsPages({ ...parts, exampleIds: bestKnown.exampleIds }),
    ...createFeedPages(parts.feedDocuments),
    ...(parts.photos ? createPhotoPages(parts.photos) : []),
  ]
}

/** Returns the response to a request for a page: the document in an accepted coding, or 304. */
export function toPageResponse(page: SiteAnswer, request: IncomingHttpHeaders): Outcome | Promise<HttpResponse> {
  if (page === undefined) return fault('path_unknown')
  return 'rendered' in page ? toDocumentResponse(page, request) : page
}

async function toDocumentResponse(page: WebDocument, request: IncomingHttpHeaders): Promise<HttpResponse> {
  const { headers, ...sent } = await represent(page.rendered, request, 'best')
  return { ...sent, headers: { ...page.headers, Vary: 'Accept-Encoding', ...headers } }
}

function getIcon(path: string): WebDocument | undefined {
  const svg = renderIcon(path)
  if (svg === undefined) return undefined
  return {
    headers: {
      'Content-Type': 'image/svg+xml',
      'Cache-Control': 'public, max-age=86400',
    },
    rendered: new RenderedBody(Buffer.from(svg)),
  }
}
