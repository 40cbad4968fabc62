import { isAdminFault } from '../../../domain/admin-fault.ts'
import { parseId } from '../../../domain/id.ts'
import type { ModeratedPhoto } from '../../../domain/photo-decisions.ts'
import { photoResource } from '../../../resources/photo.ts'
import { listModeratedPhotos } from '../../../usecases/admin/list-photos.ts'
import { attribute, type Html, html } from '../../../web/html.ts'
import { errorSummary, queryForm } from '../../../web/parts/form.ts'
import { badge, emptyState } from '../../../web/parts/notice.ts'
import { pager, toQuery } from '../../../web/parts/pager.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import { type Column, table } from '../../../web/parts/table.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import type { PageAnswer, PageRequest } from '../../pages/page-route.ts'
import type { PageView } from '../../pages/page-view.ts'
import { collectRows, exportBounds, exportLinks, exportRows } from '../../shared/export.ts'
import { moderationForm, type RefusedChoice } from '../moderation-form.ts'
import { placePath } from '../places/place-path.ts'

/** Path of the list of photos below the base path. */
export const photosPath = '/console/photos'

/** The filters of the list of photos, as the URL has them. Without a place, the list has all hidden photos. */
export interface PhotoFilters {
  readonly place?: string | undefined
  readonly after?: string | undefined
}

/** Returns the filters of a query. */
export const readPhotoFilters = ({ place, after }: Readonly<Record<string, string | undefined>>): PhotoFilters => ({
  place,
  after,
})

const rowsPerPage = 25
const photosPerRead = 200

/** Reads the page of photos that the filters select; a place that does not exist has none. */
async function readPage(
  { places }: ManagementContext,
  { actor }: PageRequest,
  { place, after }: PhotoFilters,
  limit = rowsPerPage,
): Promise<{ readonly photos: readonly ModeratedPhoto[]; readonly next?: string | undefined }> {
  const locationId = place === undefined ? undefined : parseId(place)
  if (place !== undefined && locationId === undefined) return { photos: [] }
  const { photos: stores } = places.moderation()
  const found = await listModeratedPhotos(stores, actor, { locationId, after, limit: limit + 1 })
  if (isAdminFault(found)) return { photos: [] }
  const photos = found.slice(0, limit)
  return { photos, ...(found.length > limit && { next: photos.at(-1)!.photoId }) }
}

/** Returns the photos that the filters select as a file. */
export async function exportPhotos(
  context: ManagementContext,
  request: PageRequest,
  filters: PhotoFilters,
  format: 'csv' | 'json',
): Promise<PageAnswer> {
  const found = await collectRows<string>(async (after = filters.after) => {
    const { photos, next } = await readPage(context, request, { ...filters, after }, photosPerRead)
    return { rows: photos.map(photoResource), next }
  })
  return isAdminFault(found) ? found : exportRows('photos', format, found.rows, found.isCut)
}

/** Returns the list of photos with the form that hides, shows or erases the chosen ones. */
export async function photoListView(
  context: ManagementContext,
  request: PageRequest,
  filters: PhotoFilters,
  refused?: RefusedChoice,
): Promise<PageView> {
  const { photos, next } = await readPage(context, request, filters)
  const { place } = filters
  const path = linkTo(request.site, photosPath)
  const id = photos[0]?.photoId ?? 'ID'
  return {
    title: place === undefined ? 'Hidden photos' : 'Photos of a place',
    ...(refused && { status: 422 }),
    actions: exportLinks(path, { ...filters }),
    lead: 'Enter the id of a place to see its photos. Hide what should not be served; erase what must not be stored.',
    content: [
      queryForm(path, 'Filter', [{ name: 'place', label: 'Id of the place', value: place, required: false }]),
      photos.length === 0
        ? html`${refused && errorSummary(refused.error, [])}${empty(filters)}`
        : listForm(photos, request, filters, refused),
      pager(path, { ...filters }, next),
      exportBounds(next),
      sameElsewhere({
        cli: [
          ['periplus photos list', place && `--location ${place}`].filter(Boolean).join(' '),
          `periplus photos hide ${id} --reason TEXT`,
        ],
        api: [`GET /admin/v1/photos${toQuery({ location_id: place })}`, `POST /admin/v1/photos/${id}/hide`],
      }),
    ],
  }
}

function empty({ place, after }: PhotoFilters): Html {
  return place !== undefined || after !== undefined
    ? emptyState('No photos here', html`<p>This place has no photos. They come from imports.</p>`, 'image')
    : emptyState(
        'Nothing is hidden',
        html`<p>Hidden photos stay here, with the reason, until you show them.</p>`,
        'eye-slash',
      )
}

/** Returns the table with the form of moderators. */
function listForm(
  photos: readonly ModeratedPhoto[],
  request: PageRequest,
  filters: PhotoFilters,
  refused: RefusedChoice | undefined,
): Html {
  return moderationForm(request, {
    rows: table<ModeratedPhoto>({ caption: 'Photos', columns: columnsOf(request, refused), rows: photos }),
    path: photosPath,
    states: photos.map(({ state }) => state),
    example: 'a face',
    back: toQuery({ ...filters }),
    refused,
  })
}

function columnsOf(request: PageRequest, refused: RefusedChoice | undefined): readonly Column<ModeratedPhoto>[] {
  const choose: Column<ModeratedPhoto> = {
    label: 'Choose',
    cell: ({ photoId }) => {
      const checked = attribute('checked', refused?.ids.includes(photoId))
      return html`<input type="checkbox" name="id" value="${photoId}" aria-label="Photo ${photoId}"${checked}>`
    },
  }
  return [
    ...(request.may('reviews:moderate') ? [choose] : []),
    { label: 'Photo', kind: 'name', cell: photoCell },
    {
      label: 'Place',
      cell: ({ found }) =>
        found && html`<a href="${placePath(request, found.locationId)}">${String(found.locationId)}</a>`,
    },
    { label: 'Licence', cell: ({ found }) => found?.photo.license },
  ]
}

/** Returns the link to a photo at its source, and what is known about it. The page itself loads nothing from there. */
export function photoCell({ photoId, state, reason, found }: ModeratedPhoto): Html {
  const photo = found?.photo
  const link = photo && html`<a href="${photo.url}" rel="noreferrer nofollow">${photo.url}</a>`
  const origin = photoId.startsWith('r') ? 'Photo of a review' : 'Photo of the record'
  const facts = [photoId, origin, photo?.attribution].filter(Boolean)
  return html`<div class="review"><bdi>${link ?? 'No record has this photo any more.'}</bdi>
${state === 'hidden' && badge('warn', 'Hidden')}
<p dir="auto">${photo?.caption}</p>${reason !== undefined && html`<p>Hidden because: ${reason}</p>`}<p class="quiet small">${facts.join(' · ')}</p>
</div>`
}
