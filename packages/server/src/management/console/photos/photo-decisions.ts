import { isAdminFault } from '../../../domain/admin-fault.ts'
import type { ModeratedPhoto } from '../../../domain/photo-decisions.ts'
import { checkReason } from '../../../usecases/admin/check-texts.ts'
import { hidePhoto, showPhoto } from '../../../usecases/admin/decide-photo.ts'
import { erasePhoto } from '../../../usecases/admin/erase-photo.ts'
import { findAnyPhoto } from '../../../usecases/admin/find-photo.ts'
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
import { photoCell, photoListView, photosPath, readPhotoFilters } from './photo-list.ts'

/** Maximum number of photos that are decided at once. */
const maxChosen = 200

const idsOf = (texts: readonly string[]): readonly string[] =>
  [...new Set(texts)].slice(0, maxChosen).filter(text => text !== '')

/** Returns the filters of the list that a form or a link was sent from. */
const filtersOf = (back: string) =>
  readPhotoFilters(Object.fromEntries([...new URLSearchParams(back)].filter(([, value]) => value !== '')))

const words = {
  hide: { done: 'hidden', use: hidePhoto },
  show: { done: 'shown again', use: showPhoto },
} as const

/** Hides or shows the chosen photos. */
export const moderatePhotos =
  (action: 'hide' | 'show') =>
  async (context: ManagementContext, request: PageRequest): Promise<PageAnswer> => {
    const { form: sent, actor } = request
    const [ids, reason] = [idsOf(sent.all('id')), sent.text('reason')]
    const filters = filtersOf(sent.text('back'))
    if (ids.length === 0)
      return photoListView(context, request, filters, { reason, ids, error: 'Choose the photos first.' })
    const fault = checkReason(reason)
    if (fault) return photoListView(context, request, filters, { reason, ids, reasonError: reasonError(fault) })
    const moderation = context.places.moderation()
    let changed = 0
    for (const id of ids) {
      const outcome = await words[action].use(moderation, actor, { id, reason })
      if (!isAdminFault(outcome) && outcome.changed) changed++
    }
    const verb = changed === 1 ? 'is' : 'are'
    return {
      redirect: photosPath + toQuery({ ...filters }),
      message: `${formatCount(changed, 'photo')} ${verb} ${words[action].done}.`,
    }
  }

const noneChosen = 'No photo is chosen, or those that were are erased.'

const sameErasure = () => sameElsewhere({ cli: 'periplus photos erase ID', api: 'POST /admin/v1/photos/{id}/erase' })

/** Shows the photos to erase, and asks once more. */
export async function erasurePage(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const query = new URLSearchParams(request.raw.url?.split('?')[1] ?? '')
  const back = toQuery({ ...filtersOf(query.get('back') ?? '') })
  const photos = await readChosen(context, idsOf(query.getAll('id')))
  const trail = [{ path: photosPath + back, label: 'Photos' }]
  if (photos.length === 0) return { title: 'Erase photos', trail, content: [html`<p>${noneChosen}</p>`, sameErasure()] }
  return {
    title: `Erase ${formatCount(photos.length, 'photo')}`,
    trail,
    lead: 'Erased photos are removed permanently, and later imports leave them out. Backups kept elsewhere still have them.',
    content: [
      notice('warn', html`<p>This cannot be undone. To stop serving a photo, hide it.</p>`),
      card('Photos', html`<ul class="plain-list spaced">${photos.map(one => html`<li>${photoCell(one)}</li>`)}</ul>`),
      form({
        action: linkTo(request.site, `${photosPath}/erase`),
        button: 'Erase permanently',
        kind: 'danger',
        cancel: { href: linkTo(request.site, photosPath + back), label: 'Keep them' },
        fields: [
          { name: 'ids', label: '', type: 'hidden', value: photos.map(({ photoId }) => photoId).join(',') },
          { name: 'back', label: '', type: 'hidden', value: back },
        ],
      }),
      sameErasure(),
    ],
  }
}

/** Erases the chosen photos. */
export async function erasePhotosPage(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const { form: sent, actor } = request
  const moderation = context.places.moderation()
  const filters = filtersOf(sent.text('back'))
  const photos = await readChosen(context, idsOf(sent.text('ids').split(',')))
  if (photos.length === 0) return photoListView(context, request, filters, { error: noneChosen, reason: '', ids: [] })
  let erased = 0
  for (const { photoId: id } of photos) {
    const outcome = await erasePhoto(moderation, actor, { id })
    if (!isAdminFault(outcome)) erased += outcome.removed
  }
  return {
    redirect: photosPath + toQuery({ ...filters }),
    message: `${formatCount(erased, 'photo')} ${erased === 1 ? 'was' : 'were'} erased. The last traces in files are removed within the hour.`,
  }
}

/** Returns the photos with these ids; erased ones are left out. */
async function readChosen({ places }: ManagementContext, ids: readonly string[]): Promise<readonly ModeratedPhoto[]> {
  const { photos } = places.moderation()
  const hidden = await photos.decisions.findHidden(ids)
  const all = await Promise.all(ids.map(async photoId => ({ photoId, found: await findAnyPhoto(photos, photoId) })))
  return all.flatMap(({ photoId, found }) =>
    found ? [{ photoId, found, state: hidden.has(photoId) ? ('hidden' as const) : ('shown' as const) }] : [],
  )
}
