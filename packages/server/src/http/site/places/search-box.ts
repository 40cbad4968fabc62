import { type Html, html } from '../../../web/html.ts'
import { icon } from '../../../web/icon.ts'
import { linkTo, type Site } from '../../../web/site.ts'

/** Returns a form that leads to the page of places, for pages that found nothing. */
export const searchBox = (
  site: Site,
): Html => html`<search><form class="place-search" method="get" action="${linkTo(site, '/places')}">
<div class="search-field">${icon('search')}<label class="unseen" for="q">Search places</label>
<input type="search" id="q" name="q" maxlength="500" autocomplete="off" placeholder="Name of a place">
<button class="primary">Search</button></div></form></search>
`
