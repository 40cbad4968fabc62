import { isAdminFault } from '../../../domain/admin-fault.ts'
import { checkReason } from '../../../usecases/admin/check-texts.ts'
import { eraseReview } from '../../../usecases/admin/erase-review.ts'
import { eraseReviewer } from '../../../usecases/admin/erase-reviewer.ts'
import { hideReview } from '../../../usecases/admin/hide-review.ts'
import { showReview } from '../../../usecases/admin/show-review.ts'
import { html } from '../../../web/html.ts'
import { card } from '../../../web/parts/facts.ts'
import { form } from '../../../web/parts/form.ts'
import { notice } from '../../../web/parts/notice.ts'
import { formatCount } from '../../../web/parts/number.ts'
import { toQuery } from '../../../web/parts/pager.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import { reasonError } from '../../pages/form-faults.ts'
import type { PageAnswer, PageRequest } from '../../pages/page-route.ts'
import { idsOf, readChosen } from './chosen-reviews.ts'
import { reviewCell, reviewListView } from './review-list.ts'
import { readReviewFilters } from './review-query.ts'
import { reviewsPath } from './reviews-path.ts'

/** Returns the filters of the list that a form was sent from. */
export const filtersOf = ({ form: sent }: PageRequest) =>
  readReviewFilters(Object.fromEntries([...new URLSearchParams(sent.text('back'))].filter(([, value]) => value !== '')))

const words = {
  hide: { done: 'hidden', use: hideReview },
  show: { done: 'shown again', use: showReview },
} as const

/** Hides or shows the chosen reviews. */
export const moderatePage =
  (action: 'hide' | 'show') =>
  async (context: ManagementContext, request: PageRequest): Promise<PageAnswer> => {
    const { form: sent, actor } = request
    const [ids, reason] = [idsOf(sent.all('id')), sent.text('reason')]
    const filters = filtersOf(request)
    const refused = { reason, ids: ids.map(String) }
    if (ids.length === 0)
      return reviewListView(context, request, filters, { ...refused, error: 'Choose the reviews first.' })
    const fault = checkReason(reason)
    if (fault) return reviewListView(context, request, filters, { ...refused, reasonError: reasonError(fault) })
    const moderation = context.places.moderation()
    let changed = 0
    for (const id of ids) {
      const outcome = await words[action].use(moderation, actor, { id, reason })
      if (!isAdminFault(outcome) && outcome.changed) changed++
    }
    return {
      redirect: reviewsPath + toQuery({ ...filters }),
      message: summary(ids.length, changed, words[action].done),
    }
  }

const summary = (chosen: number, changed: number, done: string): string => {
  const rest = chosen - changed
  const verb = changed === 1 ? 'is' : 'are'
  const others = rest > 0 ? ` ${formatCount(rest, 'review')} had been decided or removed before.` : ''
  return `${formatCount(changed, 'review')} ${verb} ${done}.${others}`
}

const noneChosen = 'No review is chosen, or those that were are erased.'

/** Shows the reviews to erase, and asks once more. */
export async function erasurePage(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const query = new URLSearchParams(request.raw.url?.split('?')[1] ?? '')
  const back = toQuery({
    ...readReviewFilters(Object.fromEntries(new URLSearchParams(query.get('back') ?? ''))),
  })
  const reviews = await readChosen(context, request, idsOf(query.getAll('id')))
  const trail = [{ path: reviewsPath + back, label: 'Reviews' }]
  if (reviews.length === 0)
    return { title: 'Erase reviews', trail, content: [html`<p>${noneChosen}</p>`, sameErasure()] }
  const users = new Set(reviews.flatMap(({ review }) => review.userKey ?? []))
  return {
    title: `Erase ${formatCount(reviews.length, 'review')}`,
    trail,
    lead: 'Erased reviews are removed permanently, and later imports reject them. Backups kept elsewhere still have them.',
    content: [
      notice('warn', html`<p>This cannot be undone. To stop serving a review, hide it.</p>`),
      card(
        'Reviews',
        html`<ul class="plain-list spaced">${reviews.map(one => html`<li>${reviewCell(one)}</li>`)}</ul>`,
      ),
      form({
        action: linkTo(request.site, `${reviewsPath}/erase`),
        button: 'Erase permanently',
        kind: 'danger',
        cancel: { href: linkTo(request.site, reviewsPath + back), label: 'Keep them' },
        fields: [
          { name: 'ids', label: '', type: 'hidden', value: reviews.map(({ review }) => String(review.id)).join(',') },
          { name: 'back', label: '', type: 'hidden', value: back },
          ...(users.size > 0
            ? [
                {
                  name: 'users',
                  type: 'checkbox' as const,
                  required: false,
                  label: `Also erase all other reviews of ${users.size === 1 ? 'this user' : `these ${users.size} users`}`,
                  hint: 'Later imports then reject their reviews, too.',
                },
              ]
            : []),
        ],
      }),
      sameErasure(),
    ],
  }
}

const sameErasure = () =>
  sameElsewhere({
    cli: 'periplus reviews erase ID\nperiplus erase --user SOURCE:USER',
    api: 'POST /admin/v1/reviews/{id}/erase\nPOST /admin/v1/reviewers/{source}/{user}/erase',
  })

/** Erases the chosen reviews, and if asked for all others of their users. */
export async function erasePage(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const { form: sent, actor } = request
  const moderation = context.places.moderation()
  const reviews = await readChosen(context, request, idsOf(sent.text('ids').split(',')))
  if (reviews.length === 0)
    return reviewListView(context, request, filtersOf(request), { error: noneChosen, reason: '', ids: [] })
  const reviewers = sent.text('users') === 'yes' ? new Set(reviews.flatMap(({ review }) => review.userKey ?? [])) : []
  let erased = 0
  for (const { review } of reviews) {
    const outcome = await eraseReview(moderation, actor, { id: review.id })
    if (!isAdminFault(outcome)) erased += outcome.removed
  }
  for (const reviewer of reviewers) {
    const outcome = await eraseReviewer(moderation, actor, { reviewer })
    if (!isAdminFault(outcome)) erased += outcome.removed
  }
  return {
    redirect: reviewsPath + toQuery({ ...filtersOf(request), scan: undefined }),
    message: `${formatCount(erased, 'review')} ${erased === 1 ? 'was' : 'were'} erased. The last traces in files are removed within the hour.`,
  }
}
