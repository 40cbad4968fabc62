import type { LocationEntry } from '../../../domain/location.ts'
import { tripTypes } from '../../../domain/review.ts'
import type { ListReviewsArgs, ReviewPage } from '../../../usecases/partner/list-reviews.ts'
import { type Html, html } from '../../../web/html.ts'
import { samples } from '../../../web/parts/code.ts'
import { foldedFilters } from '../../../web/parts/form.ts'
import { emptyState } from '../../../web/parts/notice.ts'
import { formatCount, formatNumber } from '../../../web/parts/number.ts'
import { toQuery } from '../../../web/parts/pager.ts'
import { localText, nameOf, ratingText } from '../../../web/place-words.ts'
import { callSamples } from '../../../web/samples.ts'
import type { PublicPage } from '../page.ts'
import { ignoredNotice, type Option, pageLinks, select } from './list-controls.ts'
import type { PlacePages } from './parts.ts'
import { placeLink } from './place-item.ts'
import { ratingsOf } from './place-page.ts'
import { ratingBars } from './rating-bars.ts'
import { languageName, reviewItem, tripTypeNames } from './review-item.ts'
import { maxPage, type ReviewsQuery } from './reviews-query.ts'

const reviewsPerPage = 20

/** Returns the arguments of the use case. */
export const toListArgs = ({ language, rating, tripType, sort, page }: ReviewsQuery): ListReviewsArgs => ({
  ...(language !== undefined && { language }),
  ...(rating !== undefined && { ratingMin: rating }),
  ...(tripType !== undefined && { tripType }),
  sortBy: sort === 'rating' ? 'HIGHEST_RATED' : 'MOST_RECENT',
  page,
  size: reviewsPerPage,
})

const searchOf = ({ language, rating, tripType, sort, page }: ReviewsQuery): string =>
  toQuery({
    language,
    rating,
    trip_type: tripType?.toLowerCase(),
    sort: sort === 'newest' ? undefined : sort,
    page: page === 1 ? undefined : page,
  })

/** Returns a page of the reviews of a place. */
export function toReviewsPage(
  query: ReviewsQuery,
  { location: entry, reviews, total }: ReviewPage,
  parts: PlacePages,
): PublicPage {
  const { site } = parts.settings
  const name = nameOf(entry.location())
  const path = placeLink(entry, parts)
  const title = `Reviews of ${name.value}`
  const isFiltered = query.language !== undefined || query.rating !== undefined || query.tripType !== undefined
  const lead = html`<p class="lead">${ratingText(ratingsOf(entry))}</p>`
  const items = reviews.map(review => reviewItem(review, site.zone))
  const list = html`<h2 class="unseen">Reviews</h2>\n<ol class="reviews">\n${items}</ol>`
  const call = {
    publicUrl: parts.settings.publicUrl,
    path: `/locations/${entry.id}/reviews`,
    query: apiQuery(query, parts.version()),
  }
  const empty = isFiltered
    ? emptyState('No reviews match', html`<p><a href="${path}/reviews">Show all reviews</a></p>`, 'chat-left-text')
    : emptyState('No reviews yet', html`<p><a href="${path}">Back to the place</a></p>`, 'chat-left-text')
  return {
    title,
    path: '/places',
    ownPath: `/places/${entry.id}/reviews`,
    description: `${title}: ${ratingText(ratingsOf(entry)) ?? formatCount(total, 'review')}.`,
    trail: [
      { path: '/places', label: 'Places' },
      { path: `/places/${entry.id}`, label: name.value },
    ],
    showsTitle: false,
    scripts: ['samples.js'],
    content: [
      html`<div class="title"><div><h1>Reviews of ${localText(name)}</h1>${lead}</div></div>`,
      ignoredNotice(query.ignored),
      foldedFilters(filterForm(query, entry, `${path}/reviews`), isFiltered),
      html`<div class="place-columns">
<div class="place-main">
<p role="status">${isFiltered ? `${formatCount(total, 'review')} found` : formatCount(total, 'review')}</p>
${reviews.length === 0 ? empty : list}${pages(query, total, `${path}/reviews`)}</div>
<div class="place-side">${ratingBars(ratingsOf(entry))}</div></div>`,
      html`<section aria-labelledby="api"><h2 id="api">These reviews in the API</h2>
${samples(callSamples(call))}</section>`,
    ],
  }
}

function filterForm({ language, rating, tripType, sort }: ReviewsQuery, entry: LocationEntry, action: string): Html {
  const languages = (ratingsOf(entry)?.languageCounts ?? []).map(
    ({ language: one, count: reviews }): Option => [one, `${languageName(one)} (${formatNumber(reviews)})`],
  )
  const ratings = [5, 4, 3, 2].map((one): Option => [String(one), one === 5 ? '5 of 5' : `${one} or more`])
  const trips = tripTypes.map((type): Option => [type.toLowerCase(), tripTypeNames[type]])
  return html`<form class="review-filters" method="get" action="${action}">
${select('Language', 'language', [['', 'All'], ...languages], language ?? '')}
${select('Rating', 'rating', [['', 'Any'], ...ratings], String(rating ?? ''))}
${select('Trip type', 'trip_type', [['', 'Any'], ...trips], tripType?.toLowerCase() ?? '')}
${select('Order', 'sort', orders, sort)}
<button>Apply</button>
</form>
`
}

const orders: readonly Option[] = [
  ['newest', 'Newest first'],
  ['rating', 'Best rating first'],
]

const pages = (query: ReviewsQuery, total: number, path: string): Html | undefined =>
  pageLinks(
    query.page,
    query.page * reviewsPerPage < total && query.page < maxPage,
    page => path + searchOf({ ...query, page }),
  )

/** Returns the parameters of the call that has the same selection. */
const apiQuery = ({ language, rating, tripType, sort, page }: ReviewsQuery, version: string) => ({
  version,
  ...(language !== undefined && { language }),
  ...(rating !== undefined && { rating_min: String(rating) }),
  ...(tripType !== undefined && { trip_type: tripType }),
  ...(sort === 'rating' && { sort_by: 'HIGHEST_RATED' }),
  page: String(page),
  size: String(reviewsPerPage),
})
