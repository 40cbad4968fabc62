import { html } from '../../../web/html.ts'
import { linkTo } from '../../../web/site.ts'
import type { HandledRequest } from '../../wire/http-response.ts'
import { toFailedPage } from '../page.ts'
import type { PlacePages } from './parts.ts'
import { searchBox } from './search-box.ts'

/** Returns the page for a place that does not exist. */
export const toMissingPlace = ({ settings: { site } }: PlacePages): HandledRequest =>
  toFailedPage(
    {
      title: 'This place does not exist',
      path: '/places',
      lead: 'It may have been removed, or the address is wrong. Search for it by name.',
      content: searchBox(site),
    },
    site,
    { status: 404, fault: 'location_unknown' },
  )

/** Returns the page for a visitor who opens too many pages at once. */
export const toRefusedVisit = ({ settings: { site } }: PlacePages, retryAfterS: number): HandledRequest =>
  toFailedPage(
    {
      title: 'Too many pages at once',
      path: '/places',
      lead: `Try again in ${retryAfterS} ${retryAfterS === 1 ? 'second' : 'seconds'}.`,
      content: html`<p>Programs should call the <a href="${linkTo(site, '/docs')}">API</a> with a key: its limits are
higher and exact.</p>\n`,
    },
    site,
    { status: 429, fault: 'visitor_limited', headers: { 'Retry-After': String(retryAfterS) } },
  )
