import type { LocationEntry } from '../../../domain/location.ts'
import type { ModeratedReview } from '../../../domain/review-list.ts'
import { attribute, type Html, type HtmlValue, html } from '../../../web/html.ts'
import { errorSummary, type Field, queryForm, renderField } from '../../../web/parts/form.ts'
import { badge, emptyState, notice } from '../../../web/parts/notice.ts'
import { formatCount } from '../../../web/parts/number.ts'
import { pager, toQuery } from '../../../web/parts/pager.ts'
import { type SameElsewhere, sameElsewhere } from '../../../web/parts/same.ts'
import { type Column, table } from '../../../web/parts/table.ts'
import { time } from '../../../web/parts/time.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import type { PageRequest, PageView } from '../../pages/page-route.ts'
import { exportBounds, exportLinks } from '../../shared/export.ts'
import { placePath } from '../places/place-path.ts'
import { placeName } from '../places/place-words.ts'
import { type ReviewFilters, type ReviewSearchPage, readReviews } from './review-query.ts'

/** Path of the list below the base path. */
export const reviewsPath = '/console/reviews'

/** A form of the list that was refused, and what it had. */
export interface RefusedChoice {
  /** Sentence about the form as a whole. */
  readonly error?: string
  /** Sentence about the reason. */
  readonly reasonError?: string | undefined
  readonly ids: readonly string[]
  readonly reason: string
}

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
    title: 'Reviews',
    ...(refused && { status: 422 }),
    actions: exportLinks(linkTo(request.site, reviewsPath), { ...filters }),
    lead: 'Newest first. Hide what should not be served; erase what must not be stored.',
    content: [
      filterForm(request, filters),
      scanNotice(page, filters, request),
      page.reviews.length === 0 ? empty(filters, page) : moderationForm(page, { request, filters, names, refused }),
      page.read === undefined && pager(linkTo(request.site, reviewsPath), { ...filters }, page.next),
      exportBounds(page.next),
      sameElsewhere(otherWays(filters)),
    ],
  }
}

/** Returns the commands and the calls for the same list; none search by user or text. */
function otherWays({ id, place, state }: ReviewFilters): SameElsewhere {
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

function filterForm({ site }: PageRequest, { id, place, state, user, text }: ReviewFilters): Html {
  const optional = { required: false } as const
  return queryForm(linkTo(site, reviewsPath), 'Filter', [
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
    { name: 'text', label: 'Title or text contains', type: 'search', value: text, ...optional },
    { name: 'user', label: 'User', value: user, placeholder: 'source:id', ...optional },
  ])
}

/** Says how far a search by user or text has come, which no index helps. */
function scanNotice(
  { read, next, reviews }: ReviewSearchPage,
  filters: ReviewFilters,
  { site }: PageRequest,
): HtmlValue {
  if (read === undefined) return undefined
  const link = linkTo(site, `${reviewsPath}${toQuery({ ...filters, after: next })}`)
  const found = `Read ${formatCount(read, 'review')}${filters.after === undefined ? '' : ' more'} and found ${reviews.length}.`
  return next === undefined
    ? notice('info', html`<p>${found} The search is complete.</p>`)
    : notice(
        'info',
        html`<p>${found} Texts and users have no index, so the search reads review by review. <a href="${link}">Continue
the search</a></p>`,
      )
}

function empty({ id, place, state, after }: ReviewFilters, { read, next }: ReviewSearchPage): Html {
  if (read !== undefined)
    return emptyState(
      'Nothing found yet',
      html`<p>${next === undefined ? 'No review matches.' : 'Continue the search.'}</p>`,
      'search',
    )
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

/** Returns the table; for moderators within a form whose buttons act on the chosen reviews. */
function moderationForm({ reviews }: ReviewSearchPage, parts: ListParts): Html {
  const { request, filters, refused } = parts
  const { may, site } = request
  const rows = table<ModeratedReview>({ caption: 'Reviews', columns: columnsOf(parts), rows: reviews })
  if (!may('reviews:moderate')) return html`${rows}`
  const action = (name: string) => linkTo(site, `${reviewsPath}/${name}`)
  const isHidden = reviews.every(({ state }) => state === 'hidden')
  const reason = reasonField(refused)
  const isShown = reviews.every(({ state }) => state === 'shown')
  const buttons = [
    !isHidden && html`<button class="primary" formaction="${action('hide')}">Hide chosen</button>`,
    !isShown && html`<button class="primary" formaction="${action('show')}">Show chosen</button>`,
    may('reviews:erase') &&
      html`<button class="danger" formmethod="get" formaction="${action('erase')}">Erase chosen …</button>`,
  ]
  return html`<form method="post" action="${action(isHidden ? 'show' : 'hide')}">
${refused && errorSummary(refused.error, refused.reasonError === undefined ? [] : [reason])}${rows}
<input type="hidden" name="back" value="${toQuery({ ...filters })}">
<div class="bulk">${renderField(reason, refused?.reasonError !== undefined)}
<p class="buttons">${buttons}</p></div>
</form>
`
}

const reasonField = (refused: RefusedChoice | undefined): Field => ({
  name: 'reason',
  label: 'Reason',
  placeholder: 'For colleagues, such as “spam”',
  value: refused?.reason,
  error: refused?.reasonError,
  required: false,
})

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
    ? html`<details><summary>${text.slice(0, maxExcerpt)}…</summary><p>${text.slice(maxExcerpt)}</p></details>`
    : html`<p>${text}</p>`
  const facts = [`Review ${review.id}`, review.language, review.user?.username, review.userKey].filter(Boolean)
  const title = review.title?.[0]?.value ?? 'Untitled'
  return html`<div class="review"><strong${attribute('lang', review.language)}>${title}</strong>
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
