import { isAdminFault } from '../../../domain/admin-fault.ts'
import { parseId } from '../../../domain/id.ts'
import { findNeighbours } from '../../../usecases/admin/find-places.ts'
import { type AdminPlace, getPlace } from '../../../usecases/admin/get-place.ts'
import { mergeLocation } from '../../../usecases/admin/merge-location.ts'
import { type Html, html } from '../../../web/html.ts'
import { card } from '../../../web/parts/facts.ts'
import { form } from '../../../web/parts/form.ts'
import { link } from '../../../web/parts/link.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import type { ManagementContext } from '../../context.ts'
import { toFaultProblem } from '../../fault-problems.ts'
import { reasonError } from '../../pages/form-faults.ts'
import type { PageAnswer, PageRequest } from '../../pages/page-route.ts'
import type { PageView } from '../../pages/page-view.ts'
import { placeName } from '../../shared/places/place-words.ts'
import { idOfPath, placePath, unknownPlace } from './place-path.ts'

const suggested = 5

/** Shows the form that merges a place into another one. */
export async function placeMergePage(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const id = idOfPath(request)
  if (id === undefined) return unknownPlace
  const place = await getPlace(context.places, request.actor, { id })
  if (isAdminFault(place)) return place
  return place.entry.id === id ? mergeView(context, request, place) : { redirect: `/console/places/${id}` }
}

/** Merges a place into another one. */
export async function mergePlacePage(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const { actor, form: sent } = request
  const id = idOfPath(request)
  if (id === undefined) return unknownPlace
  const place = await getPlace(context.places, actor, { id })
  if (isAdminFault(place)) return place
  const into = parseId(sent.text('into'))
  if (into === undefined)
    return mergeView(context, request, place, { into: 'Enter the id of a place: a whole number.' })
  const merged = await mergeLocation(context.places, actor, { id, into, reason: sent.text('reason') })
  if (!isAdminFault(merged))
    return { redirect: `/console/places/${merged.value as string}`, message: `Place ${id} was merged into this one.` }
  const detail = toFaultProblem(merged).detail ?? 'The merge was refused.'
  const reason = reasonError(merged)
  return mergeView(context, request, place, reason === undefined ? { into: detail } : { reason })
}

async function mergeView(
  { live, places }: ManagementContext,
  request: PageRequest,
  { id, entry }: AdminPlace,
  errors?: { readonly into?: string; readonly reason?: string },
): Promise<PageView> {
  const { actor, form: sent, query } = request
  const neighbours = await findNeighbours({ live, locations: places.locations }, actor, { entry, limit: suggested })
  const name = placeName(entry.location())
  const suggestions: Html | false =
    neighbours.length > 0 &&
    html`<datalist id="neighbours">${neighbours.map(
      one => html`<option value="${String(one.id)}">${placeName(one.location())}</option>`,
    )}</datalist>`
  return {
    title: `Merge ${name}`,
    ...(errors && { status: 422 }),
    trail: [
      { path: '/console/places', label: 'Places' },
      { path: `/console/places/${id}`, label: name },
    ],
    lead: 'Two records of one place become one. The other place stays, gets the reviews of this one, and answers to both ids.',
    content: [
      card(
        'The place that stays',
        form({
          action: placePath(request, id, '/merge'),
          button: 'Merge',
          fields: [
            {
              name: 'into',
              label: 'Id of the place that stays',
              value: errors ? sent.text('into') : query.into,
              error: errors?.into,
              attributes: html` list="neighbours" inputmode="numeric"`,
              hint:
                neighbours.length > 0 &&
                html`Next to it: ${neighbours.map((one, i) => [
                  i > 0 && ', ',
                  link(placePath(request, one.id), placeName(one.location())),
                  ` ${one.id}`,
                ])}`,
            },
            {
              name: 'reason',
              label: 'Reason',
              value: errors && sent.text('reason'),
              error: errors?.reason,
              hint: 'For colleagues: why both are the same place.',
            },
          ],
        }),
      ),
      suggestions,
      html`<p class="quiet">Imports do not undo the merge. You can lift it: the place then exists again.</p>`,
      sameElsewhere({
        cli: `periplus locations merge ${id} INTO --reason TEXT`,
        api: `POST /admin/v1/locations/${id}/merge`,
      }),
    ],
  }
}
