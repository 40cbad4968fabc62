import type { LocationEntry } from '../../../domain/location.ts'
import { listModeratedReviews } from '../../../usecases/admin/list-reviews.ts'
import { type Html, html } from '../../../web/html.ts'
import { card } from '../../../web/parts/facts.ts'
import { buttonLink } from '../../../web/parts/link.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import type { PageRequest } from '../../pages/page-route.ts'

const shownReviews = 3

/** Returns the card with the newest reviews of a place. */
export async function reviewCard(
  { places }: ManagementContext,
  { actor, site }: PageRequest,
  entry: LocationEntry,
): Promise<Html> {
  const reviews = await listModeratedReviews(places, actor, {
    state: 'shown',
    locationId: entry.id,
    limit: shownReviews,
  })
  const link = linkTo(site, `/console/reviews?place=${entry.id}`)
  if (reviews.length === 0) return card('Reviews', html`<p class="quiet">This place has no reviews.</p>`)
  return card(
    'Reviews',
    html`<ul class="plain-list spaced">${reviews.map(
      ({ review: { title, rating, text } }) => html`<li><bdi><strong>${title?.[0]?.value ?? 'Untitled'}</strong></bdi>
<span class="quiet">${rating !== undefined && `${rating} of 5`}</span><div dir="auto">${excerpt(text?.[0]?.value)}</div></li>`,
    )}</ul>`,
    { actions: buttonLink(link, 'All reviews') },
  )
}

const maxExcerpt = 240

/** Returns the beginning of a text. */
const excerpt = (text = ''): string => (text.length > maxExcerpt ? `${text.slice(0, maxExcerpt)}…` : text)
