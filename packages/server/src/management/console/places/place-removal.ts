import { isAdminFault } from '../../../domain/admin-fault.ts'
import { type AdminPlace, getPlace } from '../../../usecases/admin/get-place.ts'
import { removeLocation } from '../../../usecases/admin/remove-location.ts'
import { html } from '../../../web/html.ts'
import { form } from '../../../web/parts/form.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import type { ManagementContext } from '../../context.ts'
import { reasonError } from '../../pages/form-faults.ts'
import type { PageAnswer, PageRequest } from '../../pages/page-route.ts'
import type { PageView } from '../../pages/page-view.ts'
import { placeName } from '../../shared/places/place-words.ts'
import { idOfPath, placePath, unknownPlace } from './place-path.ts'

/** Shows the form that removes a place. */
export async function placeRemovalPage({ places }: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const id = idOfPath(request)
  if (id === undefined) return unknownPlace
  const place = await getPlace(places, request.actor, { id })
  if (isAdminFault(place)) return place
  return place.entry.id === id ? removalView(place, request) : { redirect: `/console/places/${id}` }
}

/** Removes a place. */
export async function removePlacePage({ places }: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const id = idOfPath(request)
  if (id === undefined) return unknownPlace
  const removed = await removeLocation(places, request.actor, { id, reason: request.form.text('reason') })
  if (!isAdminFault(removed)) return { redirect: `/console/places/${id}`, message: 'The place was removed.' }
  const error = reasonError(removed)
  if (error === undefined) return removed
  const place = await getPlace(places, request.actor, { id })
  return isAdminFault(place) ? place : removalView(place, request, error)
}

function removalView({ id, entry }: AdminPlace, request: PageRequest, error?: string): PageView {
  const name = placeName(entry.location())
  return {
    title: `Remove ${name}`,
    ...(error !== undefined && { status: 422 }),
    trail: [
      { path: '/console/places', label: 'Places' },
      { path: `/console/places/${id}`, label: name },
    ],
    lead: 'For a place that does not exist or must not be served. A place that has closed gets a status instead.',
    content: [
      form({
        action: placePath(request, id, '/remove'),
        button: 'Remove the place and its reviews',
        kind: 'danger',
        cancel: { href: placePath(request, id), label: 'Keep it' },
        fields: [
          { name: 'reason', label: 'Reason', hint: 'For colleagues.', value: request.form.text('reason'), error },
        ],
      }),
      html`<p class="quiet">Imports do not restore it. You can lift the removal: the place then exists again as last
imported.</p>`,
      sameElsewhere({
        cli: `periplus locations remove ${id} --reason TEXT`,
        api: `DELETE /admin/v1/locations/${id}?reason=TEXT`,
      }),
    ],
  }
}
