import Negotiator from 'negotiator'
import { isFault } from '../../domain/fault.ts'
import { html } from '../../web/html.ts'
import type { LayoutPage } from '../../web/layout.ts'
import { linkCards } from '../../web/parts/link.ts'
import { linkTo, type Site } from '../../web/site.ts'
import { topFolders } from '../partner/routes.ts'
import type { HandledRequest, Outcome } from '../wire/http-response.ts'
import { toFailedPage } from './page.ts'
import { searchBox } from './places/search-box.ts'

/** The parts of a request that decide whether a person looks at the response. */
interface Visit {
  readonly url: string
  readonly headers: { readonly accept?: string | undefined }
}

/** Replaces a response to an unknown path by a page. */
export type NotFoundPage = (outcome: Outcome, visit: Visit) => Outcome

/**
 * Creates the function that shows browsers a page in place of 404; clients of the API and its paths keep the problem
 * (R-13).
 */
export function createNotFoundPage(site: Site): NotFoundPage {
  const { basePath } = site
  const headers = { Vary: 'Accept, Accept-Encoding' }
  let page: HandledRequest | undefined
  const makePage = () => toFailedPage(missingPage(site), site, { status: 404, fault: 'path_unknown', headers })
  const apiPaths = topFolders.map(folder => `${basePath}/${folder}/`)
  return (outcome, { url, headers: { accept } }) => {
    if (!isFault(outcome) || outcome.fault !== 'path_unknown' || accept === undefined) return outcome
    const path = `${url.split('?', 1)[0]}/`
    if (apiPaths.some(api => path.startsWith(api)) || !prefersHtml(accept)) return outcome
    page ??= makePage()
    return page
  }
}

/** Media types that the service has for a 404. Without a preference, the problem is sent. */
const available = ['application/problem+json', 'application/json', 'text/html']

const prefersHtml = (accept: string): boolean =>
  new Negotiator({ headers: { accept } }).mediaType(available) === 'text/html'

const missingPage = (site: Site): LayoutPage => {
  const card = (path: string, label: string, text: string) => ({ href: linkTo(site, path), label, text })
  return {
    title: 'This page does not exist',
    path: '',
    lead: 'Check the address, or continue at one of these pages.',
    content: [
      site.has.places && html`<div class="prose">${searchBox(site)}</div>`,
      linkCards([
        card('/', 'Start page', `What ${site.name} offers`),
        card('/docs', 'API reference', 'Each call with its parameters and samples'),
        card('/docs/guide', 'Guide for partners', 'Keys, limits, versions, errors'),
        card('/docs/versions', 'Versions and changelogs', 'Status, dates and differences'),
        card('/docs/errors', 'Errors', 'Each code with its cause and what to do'),
      ]),
    ],
  }
}
