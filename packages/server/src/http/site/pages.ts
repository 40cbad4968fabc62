import type { IncomingHttpHeaders } from 'node:http'
import { type Fault, fault } from '../../domain/fault.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Lifecycle } from '../../versions/lifecycle.ts'
import { getHealth, getReadiness, type Readiness } from '../admin/health.ts'
import type { DocumentSettings } from '../openapi/parts.ts'
import type { HttpResponse, WebDocument } from '../wire/http-response.ts'
import { RenderedBody } from '../wire/rendered.ts'
import { represent } from '../wire/represent.ts'
import { createAssetPages } from './assets.ts'
import { createDocsPages } from './docs-pages.ts'
import { renderErrorsPage } from './errors-page.ts'
import { createFeedPages, type FeedDocuments } from './feed-pages.ts'
import { renderIcon } from './icons.ts'
import { type LandingSettings, renderLandingPage } from './landing-page.ts'
import { type Page, toHtmlDocument } from './page.ts'
import { createRobotsFile } from './robots.ts'

/** The parts of the service that its public pages describe. */
export interface Site {
  readonly lifecycle: Lifecycle
  readonly clock: Clock
  readonly feedDocuments: FeedDocuments
  readonly settings: LandingSettings & DocumentSettings
}

/** Creates all pages that require no key. */
export function createPages(site: Site, readiness: Readiness): Page[] {
  const assets = createAssetPages(site.settings.site.assets)
  const robots = createRobotsFile(site.settings.basePath)
  let landing: WebDocument | undefined
  const errors = toHtmlDocument(renderErrorsPage())
  return [
    { path: '/', get: () => (landing ??= toHtmlDocument(renderLandingPage(site.settings))) },
    { path: '/docs/errors', get: () => errors },
    { path: '/healthz', get: getHealth },
    { path: '/readyz', get: () => getReadiness(readiness) },
    { path: '/icons/*', get: getIcon },
    { path: '/assets/*', get: assets },
    { path: '/favicon.ico', get: () => assets('favicon.ico') },
    { path: '/robots.txt', get: () => robots },
    ...createDocsPages(site),
    ...createFeedPages(site.feedDocuments),
  ]
}

/** Returns the response to a request for a page: the document in an accepted coding, or 304. */
export function toPageResponse(
  page: WebDocument | HttpResponse | undefined,
  request: IncomingHttpHeaders,
): HttpResponse | Fault | Promise<HttpResponse> {
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
