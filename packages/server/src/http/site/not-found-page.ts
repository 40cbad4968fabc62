import Negotiator from 'negotiator'
import { isFault } from '../../domain/fault.ts'
import { topFolders } from '../partner/routes.ts'
import type { HandledRequest, HttpResponse, Outcome } from '../wire/http-response.ts'
import { renderHtmlPage } from './html.ts'
import { toHtmlDocument } from './page.ts'

/** The parts of a request that decide whether a person looks at the response. */
interface Visit {
  readonly url: string
  readonly headers: { readonly accept?: string | undefined }
}

/** Replaces a response to an unknown path by a page. */
export type NotFoundPage = (outcome: Outcome, visit: Visit) => Outcome

/** Creates the function that shows browsers a page in place of 404; clients of the API and its paths keep the problem. */
export function createNotFoundPage(basePath: string): NotFoundPage {
  const { headers, rendered } = toHtmlDocument(renderNotFoundPage(`${basePath}/`))
  const response: HttpResponse = {
    status: 404,
    headers: { ...headers, 'Cache-Control': 'no-store', Vary: 'Accept, Accept-Encoding' },
    body: rendered.body,
  }
  const page: HandledRequest = { response, fault: 'path_unknown' }
  const apiPaths = topFolders.map(folder => `${basePath}/${folder}/`)
  return (outcome, { url, headers: { accept } }) => {
    if (!isFault(outcome) || outcome.fault !== 'path_unknown' || accept === undefined) return outcome
    const path = `${url.split('?', 1)[0]}/`
    return !apiPaths.some(api => path.startsWith(api)) && prefersHtml(accept) ? page : outcome
  }
}

/** Media types that the service has for a 404. Without a preference, the problem is sent. */
const available = ['application/problem+json', 'application/json', 'text/html']

const prefersHtml = (accept: string): boolean =>
  new Negotiator({ headers: { accept } }).mediaType(available) === 'text/html'

const renderNotFoundPage = (root: string): string =>
  renderHtmlPage({
    title: 'Page not found · Periplus',
    root,
    body: `<main>
<h1>This page does not exist</h1>
<p>Check the address, or continue at one of these pages.</p>
<ul>
<li><a href="${root}">Start page</a></li>
<li><a href="${root}docs">API reference</a>, <a href="${root}docs/guide">guide for partners</a></li>
<li><a href="${root}docs/versions">Versions and changelogs</a>, <a href="${root}docs/errors">errors</a></li>
</ul>
</main>`,
  })
