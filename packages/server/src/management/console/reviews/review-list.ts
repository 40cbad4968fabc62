import type { LocationEntry } from '../../../domain/location.ts'
import type { ModeratedReview } from '../../../domain/review-list.ts'
import { attribute, type Html, html } from '../../../web/html.ts'
import { queryForm } from '../../../web/parts/form.ts'
import { livePart } from '../../../web/parts/live.ts'
import { badge, emptyState } from '../../../web/parts/notice.ts'
import { formatNumber } from '../../../web/parts/number.ts'
import { pager, toQuery } from '../../../web/parts/pager.ts'
import { type SameElsewhere, sameElsewhere } from '../../../web/parts/same.ts'
import { type Column, table } from '../../../web/parts/table.ts'
import { time } from '../../../web/parts/time.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import type { PageRequest } from '../../pages/page-route.ts'
import type { PageView } from '../../pages/page-view.ts'
import { exportBounds, exportLinks } from '../../shared/export.ts'
import { placeName } from '../../shared/places/place-words.ts'
import { moderationForm, type RefusedChoice } from '../moderation-form.ts'
import { placePath } from '../places/place-path.ts'
import { type ReviewFilters, type ReviewSearchPage, readReviews } from './review-query.ts'
import { reviewsPath } from './reviews-path.ts'
import { scanHeader } from './scan-header.ts'

/** Returns the list of reviews with the form that hides, shows or erases the chosen ones. */
export async function reviewListView(
  context: ManagementContext,
  request: PageRequest,
  filters: ReviewFilters,
  refused?: RefusedChoice,
): Promise<PageView> {
  const page = await readReviews(context, request, filters)
  const names = await placeNames(context, page.reviews)
  return {
    title: filters.scan === undefined ? 'Reviews' : 'Found reviews',
    ...(filters.scan !== undefined && { trail: [{ path: reviewsPath, label: 'Reviews' }], scripts: ['live.js'] }),
    ...(refused && { status: 422 }),
    actions: exportLinks(linkTo(request.site, reviewsPath), { ...filters }),
    lead: 'Newest first. Hide what should not be served; erase what must not be stored.',
    content: [
      filters.scan === undefined
        ? filterForm(request, filters)
        : livePart('scan', await scanHeader(context, request, filters.scan, page.scan)),
      page.reviews.length === 0 ? empty(filters) : listForm(page, { request, filters, names, refused }),
      pager(linkTo(request.site, reviewsPath), { ...filters }, page.next),
      exportBounds(page.next),
      sameElsewhere(otherWays(filters)),
    ],
  }
}

/** Returns the commands and the calls for the same list. */
function otherWays({ id, place, state, scan }: ReviewFilters): SameElsewhere {
  if (scan !== undefined)
    return {
      cli: [`periplus reviews list --scan ${scan}`, `periplus reviews hide --scan ${scan} --reason TEXT`],
      api: [`GET /admin/v1/review-scans/${scan}/reviews`, `POST /admin/v1/review-scans/${scan}/hide`],
    }
  const words = ['periplus reviews list', place && `--location ${place}`, state && '--hidden'].filter(Boolean)
  const list = `GET /admin/v1/reviews${toQuery({ location_id: place, state })}`
  return {
    cli: [words.join(' '), `periplus reviews hide ${id ?? 'ID'} --reason TEXT`],
    api: [
      id === undefined ? list : `GET /admin/v1/reviews/${id}`,
      id === undefined ? 'POST /admin/v1/reviews/{id}/hide' : `POST /admin/v1/reviews/${id}/hide`,
    ],
  }
}

function filterForm({ site, may }: PageRequest, { id, place, state }: ReviewFilters): Html {
  const optional = { required: false } as const
  const filter = queryForm(linkTo(site, reviewsPath), 'Filter', [
    {
      name: 'state',
      label: 'State',
      type: 'select',
      value: state ?? '',
      ...optional,
      choices: [
        { value: '', label: 'Shown' },
        { value: 'hidden', label: 'Hidden' },
      ],
    },
    { name: 'place', label: 'Id of the place', value: place, ...optional },
    { name: 'id', label: 'Id of the review', value: id, ...optional },
  ])
  const scan = html`<p><a href="${linkTo(site, `${reviewsPath}/scan`)}">Find reviews by text or user</a></p>
`
  return html`${filter}${may('reviews:moderate') && scan}`
}

function empty({ id, place, state, scan, after }: ReviewFilters): Html {
  if (scan !== undefined) return emptyState('No reviews here', html`<p>The scan has found no review.</p>`, 'search')
  if (id !== undefined || place !== undefined || after !== undefined)
    return emptyState('No reviews here', html`<p>No review matches. Remove a filter.</p>`, 'chat-left-text')
  return state === 'hidden'
    ? emptyState(
        'Nothing is hidden',
        html`<p>Hidden reviews stay here, with the reason, until you show or erase them.</p>`,
        'eye-slash',
      )
    : emptyState('No reviews yet', html`<p>Reviews come from imports, like places.</p>`, 'chat-left-text')
}

interface ListParts {
  readonly request: PageRequest
  readonly filters: ReviewFilters
  readonly names: ReadonlyMap<bigint, string>
  readonly refused: RefusedChoice | undefined
}

/** Returns the table with the form of moderators. */
function listForm({ reviews, scan }: ReviewSearchPage, parts: ListParts): Html {
  const { request, filters, refused } = parts
  return moderationForm(request, {
    rows: table<ModeratedReview>({ caption: 'Reviews', columns: columnsOf(parts), rows: reviews }),
    path: reviewsPath,
    states: reviews.map(({ state }) => state),
    example: 'spam',
    back: toQuery({ ...filters }),
    refused,
    button: scan && foundButton(request, scan.found, scan.query.state),
  })
}

/** Returns the button that decides about all reviews that a scan has found. */
function foundButton({ site }: PageRequest, found: number, state: 'shown' | 'hidden'): Html {
  const [name, label] = state === 'shown' ? (['hide-found', 'Hide'] as const) : (['show-found', 'Show'] as const)
  return html`<button formaction="${linkTo(site, `${reviewsPath}/${name}`)}">${label} all ${formatNumber(found)} found</button>`
}

function columnsOf({ request, names, refused }: ListParts): readonly Column<ModeratedReview>[] {
  const { zone, may } = request
  const choose: Column<ModeratedReview> = {
    label: 'Choose',
    cell: ({ review }) => {
      const id = String(review.id)
      const checked = attribute('checked', refused?.ids.includes(id))
      return html`<input type="checkbox" name="id" value="${id}" aria-label="Review ${id}"${checked}>`
    },
  }
  return [
    ...(may('reviews:moderate') ? [choose] : []),
    { label: 'Review', kind: 'name', cell: reviewCell },
    { label: 'Rating', kind: 'number', cell: ({ review: { rating } }) => rating },
    {
      label: 'Place',
      cell: ({ review: { locationId } }) =>
        html`<a href="${placePath(request, locationId)}">${names.get(locationId) ?? String(locationId)}</a>`,
    },
    {
      label: 'Published',
      cell: ({ review: { publishedMs } }) => publishedMs !== undefined && time(publishedMs, zone, 'day'),
    },
  ]
}

const maxExcerpt = 200

/** Returns title, beginning and facts of a review; the rest of a long text unfolds. */
export function reviewCell({ review, state, reason }: ModeratedReview): Html {
  const text = review.text?.[0]?.value ?? ''
  const isLong = text.length > maxExcerpt
  const body = isLong
    ? html`<details dir="auto"><summary>${text.slice(0, maxExcerpt)}…</summary><p>${text.slice(maxExcerpt)}</p></details>`
    : html`<p dir="auto">${text}</p>`
  const facts = [`Review ${review.id}`, review.language, review.user?.username, review.userKey].filter(Boolean)
  const title = review.title?.[0]?.value ?? 'Untitled'
  return html`<div class="review"><bdi><strong${attribute('lang', review.language)}>${title}</strong></bdi>
${state === 'hidden' && badge('warn', 'Hidden')}
${body}${reason !== undefined && html`<p>Hidden because: ${reason}</p>`}<p class="quiet small">${facts.join(' · ')}</p>
</div>`
}

async function placeNames(
  { places }: ManagementContext,
  reviews: readonly ModeratedReview[],
): Promise<ReadonlyMap<bigint, string>> {
  const ids = [...new Set(reviews.map(({ review }) => review.locationId))]
  const entries: readonly (LocationEntry | undefined)[] = await places.locations.getMany(ids)
  return new Map(ids.flatMap((id, i) => (entries[i] ? [[id, placeName(entries[i].location())]] : [])))
}
