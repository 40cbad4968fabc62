import type { IncomingHttpHeaders } from 'node:http'
import { type Fault, fault } from '../../domain/fault.ts'
import { health, type Readiness, ready } from '../admin/health.ts'
import type { Service } from '../partner/service.ts'
import type { Answer, Document } from '../wire/answer.ts'
import { Rendered } from '../wire/rendered.ts'
import { represent } from '../wire/represent.ts'
import { assets } from './assets.ts'
import { docsPages } from './docs-pages.ts'
import { errorsPage } from './errors-page.ts'
import { feedPages } from './feeds-pages.ts'
import { iconSvg } from './icons.ts'
import { landingPage } from './landing-page.ts'

/** A path that needs no key. `answer` gets what the path's `*` stood for; undefined is 404. */
export interface Page {
  readonly path: string
  answer(rest: string): Document | Answer | undefined
}

/** Everything that is served without a key. */
export function pages(service: Service, readiness: Readiness): Page[] {
  let landing: Document | undefined
  const errors = html(errorsPage())
  return [
    { path: '/', answer: () => (landing ??= html(landingPage(service.settings))) },
    { path: '/docs/errors', answer: () => errors },
    { path: '/healthz', answer: health },
    { path: '/readyz', answer: () => ready(readiness) },
    { path: '/icons/*', answer: icon },
    { path: '/assets/*', answer: assets() },
    ...docsPages(service),
    ...feedPages(service.feedDocuments),
  ]
}

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** A page; what it may load is its own. */
export function html(text: string, contentPolicy = policy): Document {
  return {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': contentPolicy,
      'X-Content-Type-Options': 'nosniff',
    },
    rendered: new Rendered(Buffer.from(text)),
  }
}

/** What a client gets of a page: a document in the coding that it takes, or that it still has it. */
export function pageAnswer(
  page: Document | Answer | undefined,
  request: IncomingHttpHeaders,
): Answer | Fault | Promise<Answer> {
  if (page === undefined) return fault('path_unknown')
  return 'rendered' in page ? documentAnswer(page, request) : page
}

async function documentAnswer(page: Document, request: IncomingHttpHeaders): Promise<Answer> {
  const { headers, ...sent } = await represent(page.rendered, request, 'best')
  return { ...sent, headers: { ...page.headers, Vary: 'Accept-Encoding', ...headers } }
}

function icon(path: string): Document | undefined {
  const svg = iconSvg(path)
  if (svg === undefined) return undefined
  return {
    headers: {
      'Content-Type': 'image/svg+xml',
      'Cache-Control': 'public, max-age=86400',
      'X-Content-Type-Options': 'nosniff',
    },
    rendered: new Rendered(Buffer.from(svg)),
  }
}
