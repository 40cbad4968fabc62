import { type Fault, fault, faults } from '../../domain/fault.ts'
import { ThreadUnavailable } from '../../kit/thread-unavailable.ts'
import { html } from '../../web/html.ts'
import type { Site } from '../../web/site.ts'
import type { HandledRequest } from '../wire/http-response.ts'
import { type SiteAnswer, type SitePage, toFailedPage } from './page.ts'

/**
 * Returns the page that `get` makes, or 503 with Retry-After if its query finds no place in the queue of long queries.
 */
export async function explainBusy(
  settings: { readonly site: Site },
  path: string,
  get: () => ReturnType<SitePage['get']>,
): Promise<SiteAnswer> {
  try {
    return await get()
  } catch (error) {
    if (!(error instanceof ThreadUnavailable)) throw error
    const headers = { 'Retry-After': error.retryAfter }
    return toFaultPage(settings, path, fault('search_unavailable', { detail: 'Try again in a moment.', headers }))
  }
}

/** Returns the page that explains a fault. `path` is that of the refused page, below the base path. */
export function toFaultPage(
  { site }: { readonly site: Site },
  path: string,
  { fault: code, detail, headers }: Fault,
): HandledRequest {
  const { status, title, text } = faults[code]
  const content = html`<p>${detail ?? text}</p>\n`
  return toFailedPage({ title, path, lead: text, content }, site, { status, fault: code, headers })
}
