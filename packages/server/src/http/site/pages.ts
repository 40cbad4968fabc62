import type { IncomingHttpHeaders } from 'node:http'
import { type Fault, fault } from '../../domain/fault.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Lifecycle } from '../../versions/lifecycle.ts'
import { health, type Readiness, ready } from '../admin/health.ts'
import type { HttpResponse, WebDocument } from '../wire/http-response.ts'
import { RenderedBody } from '../wire/rendered.ts'
import { represent } from '../wire/represent.ts'
import { assets } from './assets.ts'
import { docsPages } from './docs-pages.ts'
import { errorsPage } from './errors-page.ts'
import { type FeedDocuments, feedPages } from './feed-pages.ts'
import { iconSvg } from './icons.ts'
import { type LandingSettings, landingPage } from './landing-page.ts'
import { html, type Page } from './page.ts'

/** The parts of the service that its public pages describe. */
export interface Site {
  readonly lifecycle: Lifecycle
  readonly clock: Clock
  readonly feedDocuments: FeedDocuments
  readonly settings: LandingSettings
}

/** Returns all pages that require no key. */
export function pages(site: Site, readiness: Readiness): Page[] {
  let landing: WebDocument | undefined
  const errors = html(errorsPage())
  return [
    { path: '/', get: () => (landing ??= html(landingPage(site.settings))) },
    { path: '/docs/errors', get: () => errors },
    { path: '/healthz', get: health },
    { path: '/readyz', get: () => ready(readiness) },
    { path: '/icons/*', get: icon },
    { path: '/assets/*', get: assets() },
    ...docsPages(site),
    ...feedPages(site.feedDocuments),
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

function icon(path: string): WebDocument | undefined {
  const svg = iconSvg(path)
  if (svg === undefined) return undefined
  return {
    headers: {
      'Content-Type': 'image/svg+xml',
      'Cache-Control': 'public, max-age=86400',
      'X-Content-Type-Options': 'nosniff',
    },
    rendered: new RenderedBody(Buffer.from(svg)),
  }
}
