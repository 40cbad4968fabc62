import { type AdminFault, isAdminFault } from '../../../domain/admin-fault.ts'
import type { Id } from '../../../domain/id.ts'
import type { LocationEntry } from '../../../domain/location.ts'
import {
  isWholeField,
  type Override,
  type OverrideField,
  overrideMembers,
  type WholeField,
} from '../../../domain/override.ts'
import { getDecidedPlace } from '../../../usecases/admin/get-place.ts'
import { liftOverride } from '../../../usecases/admin/lift-override.ts'
import { isOverrideField, overrideLocation } from '../../../usecases/admin/override-location.ts'
import { type Html, type HtmlValue, html } from '../../../web/html.ts'
import { card, facts } from '../../../web/parts/facts.ts'
import { type Field, form } from '../../../web/parts/form.ts'
import { mapScripts, mapStyles } from '../../../web/parts/map.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import type { ManagementContext } from '../../context.ts'
import { toFaultProblem } from '../../fault-problems.ts'
import { reasonError } from '../../pages/form-faults.ts'
import type { PageAnswer, PageRequest } from '../../pages/page-route.ts'
import type { PageView } from '../../pages/page-view.ts'
import { revisionField, revisionOf } from '../../pages/revision.ts'
import { pinMap } from '../../shared/places/pin-map.ts'
import { categoryList, readValue, valueFields, withSent } from '../../shared/places/place-form.ts'
import { describeValue, fieldLabels, placeName } from '../../shared/places/place-words.ts'
import { type ActorNames, readActorNames } from '../actor-names.ts'
import { originOf } from './place-origin.ts'
import { idOfPath, placePath, unknownField, unknownPlace } from './place-path.ts'

type FieldName = OverrideField | WholeField

/** A field of a place, as its page shows it. */
interface PlaceField {
  readonly id: Id
  readonly field: FieldName
  /** The stored location; missing for a decision about the place as a whole. */
  readonly entry: LocationEntry | undefined
  readonly override: Override | undefined
  readonly nameOf: ActorNames
}

/** A field with a value that can be overridden. */
interface ValueField extends PlaceField {
  readonly field: OverrideField
  readonly entry: LocationEntry
}

const isValueField = (found: PlaceField): found is ValueField => !isWholeField(found.field)

/** A form that was sent and refused. */
interface Refused {
  readonly fault: AdminFault
  readonly form: 'override' | 'lift'
}

/** Shows the form that overrides a field, and the one that lifts its override. */
export async function placeFieldPage(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const found = await findField(context, request)
  return isAdminFault(found) ? found : fieldView(found, request)
}

/** Overrides a field with the value of the form. */
export async function overrideFieldPage(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const found = await findField(context, request)
  if (isAdminFault(found)) return found
  const { id, field } = found
  if (!isValueField(found)) return unknownField(field)
  const { form: sent, actor } = request
  const value = readValue(found.field, sent, found.entry.location())
  const input = { id, field, value, reason: sent.text('reason'), expectedRevision: revisionOf(sent) }
  const overridden = await overrideLocation(context.places, actor, input)
  if (!isAdminFault(overridden))
    return {
      redirect: `/console/places/${id}`,
      message: `${fieldLabels[field]}: the value is overridden and is served within a second.`,
    }
  return refused(context, request, { fault: overridden, form: 'override' })
}

/** Lifts the override of a field. */
export async function liftFieldPage(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const found = await findField(context, request)
  if (isAdminFault(found)) return found
  const { id, field } = found
  const { form: sent, actor } = request
  const input = { id, field, reason: sent.text('reason'), expectedRevision: revisionOf(sent) }
  const lifted = await liftOverride(context.places, actor, input)
  if (!isAdminFault(lifted))
    return {
      redirect: `/console/places/${id}`,
      message: isWholeField(field)
        ? 'The place exists again. Its reviews return with their next import.'
        : `${fieldLabels[field]}: the value of the source is served again.`,
    }
  return refused(context, request, { fault: lifted, form: 'lift' })
}

/** Shows the form again with what was sent; after a change by someone else with the value that is stored now. */
async function refused(context: ManagementContext, request: PageRequest, refusal: Refused): Promise<PageAnswer> {
  const { status } = toFaultProblem(refusal.fault)
  const found = await findField(context, request)
  if (isAdminFault(found) || status === 404) return refusal.fault
  return { ...fieldView(found, request, refusal), status: status === 400 ? 422 : status }
}

async function findField(context: ManagementContext, request: PageRequest): Promise<PlaceField | AdminFault> {
  const { places } = context
  const id = idOfPath(request)
  const field = request.params.field!
  if (id === undefined) return unknownPlace
  if (!isWholeField(field) && !isOverrideField(field)) return unknownField(field)
  const place = await getDecidedPlace(places, request.actor, { id })
  if (isAdminFault(place)) return place
  const override = place.overrides.find(one => one.field === field)
  const entry = isWholeField(field) || place.entry?.id !== id ? undefined : place.entry
  if (isWholeField(field) ? !override : !entry) return unknownField(field)
  return { id, field, entry, override, nameOf: await readActorNames(context, request) }
}

function fieldView(found: PlaceField, request: PageRequest, refusal?: Refused): PageView {
  const { id, field, entry } = found
  const name = entry ? placeName(entry.location()) : `Place ${id}`
  const hasMap = field === 'coordinates'
  const method = isWholeField(field) ? 'lift' : 'override'
  return {
    title: fieldLabels[field],
    trail: [
      { path: '/console/places', label: 'Places' },
      { path: `/console/places/${id}`, label: name },
    ],
    ...(hasMap && { scripts: mapScripts, styles: mapStyles }),
    content: [
      isValueField(found) && [present(found, request, refusal), overrideForm(found, request, refusal)],
      found.override && liftForm(found, request, refusal),
      sameElsewhere({
        cli: `periplus locations ${method} ${id} ${field}${method === 'override' ? ' VALUE' : ''} --reason TEXT`,
        api: `${method === 'override' ? 'PUT' : 'DELETE'} /admin/v1/locations/${id}/overrides/${field}`,
      }),
    ],
  }
}

/** Shows the stored value; after a lost update, above the value that was sent. */
function present({ field, entry, override, nameOf }: ValueField, request: PageRequest, refusal?: Refused): HtmlValue {
  const value = entry.location()[overrideMembers[field]] as Override['value'] | undefined
  const isLost = refusal?.fault.fault === 'override_changed'
  return card(
    isLost ? 'Changed by someone else: the value now' : 'Value now',
    facts([
      ['Value', value === undefined ? 'no value' : describeValue(field, value)],
      ['Origin', originOf(override, entry, request.zone, nameOf)],
    ]),
  )
}

const reasonField = (value?: string, error?: string): Field => ({
  name: 'reason',
  label: 'Reason',
  value,
  error,
  hint: 'For colleagues: how you know, such as “called the owner”.',
})

function overrideForm({ id, field, entry, override }: ValueField, request: PageRequest, refusal?: Refused): Html {
  const location = entry.location()
  const isSent = refusal?.form === 'override'
  const stored = valueFields(field, location)
  const values = isSent ? withSent(stored, request.form) : stored
  const [error, wrong] = isSent ? errorOf(refusal.fault) : []
  const isLost = isSent && refusal.fault.fault === 'override_changed'
  const inputs = form({
    action: placePath(request, id, `/fields/${field}`),
    button: isLost ? 'Override with your value' : 'Override',
    error: wrong === undefined ? error : undefined,
    fields: [
      ...values.map((one, i) => ({ ...one, ...(i === 0 && wrong === 'value' && { error }) })),
      reasonField(isSent ? request.form.text('reason') : undefined, wrong === 'reason' ? error : undefined),
      revisionField(override ?? { revision: 0 }),
    ],
  })
  const several = field === 'address' && (location.addresses?.length ?? 0) > 1
  return card(isLost ? 'Your value' : 'Override', [
    !isLost &&
      html`<p class="quiet">The value wins over imports until you lift it. Search, answers and feeds have it within a
second.</p>`,
    several &&
      html`<p>The source has ${location.addresses!.length} addresses. This one takes the place of all of them.</p>`,
    field === 'coordinates' && pinMap(entry, request.site, 'override'),
    html`<div id="override">${inputs}</div>`,
    field === 'category' && categoryList(),
  ])
}

const wholeNames = { merged_into: 'the merge', removed: 'the removal' } as const

function liftForm({ id, field, override }: PlaceField, request: PageRequest, refusal?: Refused): Html {
  const isSent = refusal?.form === 'lift'
  const [error, wrong] = isSent ? errorOf(refusal.fault) : []
  const what = isWholeField(field) ? wholeNames[field] : 'the override'
  return card(
    `Lift ${what}`,
    html`<p class="quiet">${
      isWholeField(field)
        ? 'The place exists again as its source last delivered it. Its reviews return with their next import.'
        : 'The last imported value is served again, and later imports change it.'
    }</p>
${form({
  action: placePath(request, id, `/fields/${field}/lift`),
  button: `Lift ${what}`,
  kind: 'plain',
  error: wrong === undefined ? error : undefined,
  fields: [
    reasonField(isSent ? request.form.text('reason') : undefined, wrong === 'reason' ? error : undefined),
    revisionField(override ?? { revision: 0 }),
  ],
})}`,
  )
}

/** Returns the message of a fault and the input that it concerns, if it concerns one. */
function errorOf(fault: AdminFault): readonly [error: string, field?: 'value' | 'reason'] {
  const reason = reasonError(fault)
  if (reason !== undefined) return [reason, 'reason']
  if (fault.fault === 'override_invalid') return [fault.detail, 'value']
  if (fault.fault === 'override_changed')
    return ['Someone else has changed this field since you opened it. Compare both values, then send yours again.']
  return [toFaultProblem(fault).detail ?? 'The change was refused.']
}
