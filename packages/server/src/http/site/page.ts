import type { IncomingHttpHeaders } from 'node:http'
import type { Fault } from '../../domain/fault.ts'
import type { Html } from '../../web/html.ts'
import { type LayoutPage, renderLayout } from '../../web/layout.ts'
import { pageHeaders } from '../../web/page-headers.ts'
import { imageOriginsOf, type Site } from '../../web/site.ts'
import type { HandledRequest, HttpResponse, WebDocument } from '../wire/http-response.ts'
import { RenderedBody } from '../wire/rendered.ts'
import { openGraph } from './open-graph.ts'

/** A request for a page that requires no key. */
export interface SiteRequest {
  /** Parameters of the path; `*` is the part that matched it. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  /** Network address of the client. */
  readonly address: string
  /** Returns true if the client has closed its connection. */
  isGone(): boolean
}

/** A page to send; a handled request for a page with another status than 200; undefined for 404. */
export type SiteAnswer = WebDocument | HandledRequest | HttpResponse | Fault | undefined

/** A page that requires no key. */
export interface SitePage {
  /** Path below the base path, as Fastify reads it. */
  readonly path: string
  get(request: SiteRequest): SiteAnswer | Promise<SiteAnswer>
}

/** A page for everybody. */
export interface PublicPage extends LayoutPage {
  /** Path of the page below the base path, where `path` is that of its list. Default: `path`. */
  readonly ownPath?: string
}

/** Returns a page in the look of the site, with its security headers and what previews of links show. */
export function toPageDocument(
  page: PublicPage,
  { site, publicUrl }: { readonly site: Site; readonly publicUrl: string },
): WebDocument {
  const { title, path, ownPath = path, lead, description = typeof lead === 'string' ? lead : title } = page
  const head = openGraph({ title, description, path: ownPath }, { site, publicUrl })
  return { headers: publicHeaders(site), rendered: toBody(renderLayout({ ...page, description, head }, site)) }
}

/** Returns a page that says why a request failed. */
export function toFailedPage(
  page: LayoutPage,
  site: Site,
  failure: {
    readonly status: number
    readonly fault: string
    readonly headers?: Readonly<Record<string, string>> | undefined
  },
): HandledRequest {
  const headers = { ...publicHeaders(site), 'Cache-Control': 'no-store', Vary: 'Accept-Encoding', ...failure.headers }
  return {
    response: { status: failure.status, headers, body: toBody(renderLayout(page, site)).body },
    fault: failure.fault,
  }
}

const toBody = ({ text }: Html): RenderedBody => new RenderedBody(Buffer.from(text))

function publicHeaders(site: Site): Readonly<Record<string, string>> {
  // The server sends nosniff with every response.
  const imageOrigins = imageOriginsOf(site)
  const { 'X-Content-Type-Options': _, ...headers } = pageHeaders({ isPrivate: false, imageOrigins })
  return headers
}
