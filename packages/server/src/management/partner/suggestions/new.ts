import { type AdminFault, isAdminFault } from '../../../domain/admin-fault.ts'
import type { LocationEntry } from '../../../domain/location.ts'
import { type SuggestionKind, suggestedFields, suggestionKinds } from '../../../domain/suggestion.ts'
import { findSuggestible, suggestEdit } from '../../../usecases/admin/suggest-edit.ts'
import { type HtmlValue, html } from '../../../web/html.ts'
import { card, facts } from '../../../web/parts/facts.ts'
import { link } from '../../../web/parts/link.ts'
import { mapScripts, mapStyles } from '../../../web/parts/map.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import { toFaultProblem } from '../../fault-problems.ts'
import { unknownValueView } from '../../pages/form-faults.ts'
import type { PageAnswer, PartnerRequest } from '../../pages/page-route.ts'
import type { PageView } from '../../pages/page-view.ts'
import { ownForm } from '../../shared/own-form.ts'
import { pinMap } from '../../shared/places/pin-map.ts'
import { fieldLabels, placeName } from '../../shared/places/place-words.ts'
import { describeCurrent, kindLabels } from '../../shared/suggestions/words.ts'
import { editFields, readValues, refuseEdit } from './edit-form.ts'
import { parsePlace, placeForm } from './place-input.ts'

/** Asks for the place, then for the kind of the suggestion, then shows its form. */
export async function newSuggestionPage(context: ManagementContext, request: PartnerRequest): Promise<PageAnswer> {
  const { query, partner } = request
  const entry = await findPlace(context, query.place)
  if (entry === undefined) return choosePlace(request)
  if (!isAdminFault(entry)) {
    const kind = suggestionKinds.find(one => one === query.kind)
    return kind ? editView(request, entry, kind) : chooseKind(request, entry)
  }
  if (entry.fault !== 'location_merged') return choosePlace(request, 'No place has this id or address.')
  const kind = query.kind === undefined ? '' : `&kind=${encodeURIComponent(query.kind)}`
  return { redirect: `/portal/${partner.id}/suggestions/new?place=${entry.survivor}${kind}` }
}

/** Sends a suggestion. */
export async function suggestPage(context: ManagementContext, request: PartnerRequest): Promise<PageAnswer> {
  const { actor, partner, form: sent } = request
  const kind = suggestionKinds.find(one => one === sent.text('kind'))
  if (!kind) return unknownValueView('kind', suggestionKinds)
  const entry = await findPlace(context, sent.text('place'))
  if (entry === undefined || (isAdminFault(entry) && entry.fault === 'location_unknown'))
    return choosePlace(request, 'This place does not exist any more.')
  if (isAdminFault(entry)) return entry
  const suggested = await suggestEdit(
    context.places,
    { ...actor, partnerId: partner.id },
    {
      locationId: entry.id,
      kind,
      values: readValues(kind, sent, entry.location()),
      duplicateOf: parsePlace(sent.text('duplicate_of')),
      comment: sent.text('comment'),
    },
  )
  if (isAdminFault(suggested)) return editView(request, entry, kind, suggested)
  return { redirect: `/portal/${partner.id}/suggestions`, message: 'Thank you. The operator will decide on it.' }
}

/** Returns the place of a text; undefined without a text, a fault for a place that is gone or was merged. */
async function findPlace({ places }: ManagementContext, text = ''): Promise<LocationEntry | AdminFault | undefined> {
  return text === '' ? undefined : findSuggestible(places.locations, parsePlace(text) ?? 0n)
}

const title = 'Suggest an edit'
const trailOf = ({ partner }: PartnerRequest) => [{ path: `/portal/${partner.id}/suggestions`, label: 'Suggestions' }]

/** The operator changes places without a suggestion. */
const same = (id: string) =>
  sameElsewhere({
    cli: `periplus locations override ${id} FIELD VALUE --reason TEXT`,
    api: `PUT /admin/v1/locations/${id}/overrides/FIELD`,
  })

function choosePlace(request: PartnerRequest, error?: string): PageView {
  const { site, partner, query, form: sent } = request
  const value = query.place ?? sent.text('place')
  return {
    ...(error !== undefined && { status: 422 }),
    title,
    trail: trailOf(request),
    lead: 'Is something wrong on the page of a place? Say what, and the operator will check it.',
    content: [placeForm(site, linkTo(site, `/portal/${partner.id}/suggestions/new`), { value, error }), same('ID')],
  }
}

function chooseKind(request: PartnerRequest, entry: LocationEntry): PageView {
  const { site, partner } = request
  const to = (kind: SuggestionKind) =>
    linkTo(site, `/portal/${partner.id}/suggestions/new?place=${entry.id}&kind=${kind}`)
  return {
    title,
    trail: trailOf(request),
    lead: html`What is wrong with ${placeName(entry.location())}?`,
    content: [
      html`<ul class="choices" aria-label="What is wrong">
${suggestionKinds.map(kind => html`<li>${link(to(kind), kindLabels[kind])}</li>\n`)}</ul>
`,
      same(String(entry.id)),
    ],
  }
}

/** Returns what the place has now, and the form of a suggestion. */
function editView(request: PartnerRequest, entry: LocationEntry, kind: SuggestionKind, fault?: AdminFault): PageView {
  const { site, partner, form: sent } = request
  const [id, location] = [String(entry.id), entry.location()]
  const folder = `/portal/${partner.id}/suggestions/new`
  const current = editFields(kind, id, location)
  const refused = fault && refuseEdit(kind, current, sent, { fault, location })
  const hasMap = suggestedFields[kind].some(field => field === 'coordinates')
  const { status = 422 } = fault ? toFaultProblem(fault) : {}
  return {
    ...(refused && { status: status === 400 ? 422 : status }),
    title: kindLabels[kind],
    trail: [...trailOf(request), { path: `${folder}?place=${id}`, label: placeName(location) }],
    ...(hasMap && { scripts: mapScripts, styles: mapStyles }),
    content: [
      presentCard(entry, kind),
      hasMap && pinMap(entry, site, 'suggest'),
      html`<div id="suggest">${ownForm(request, 'own:suggest', {
        action: linkTo(site, folder),
        button: 'Send suggestion',
        error: refused?.error,
        fields: refused?.fields ?? current,
        cancel: { href: linkTo(site, `${folder}?place=${id}`), label: 'Something else is wrong' },
      })}</div>`,
      same(id),
    ],
  }
}

const presentCard = (entry: LocationEntry, kind: SuggestionKind): HtmlValue =>
  suggestedFields[kind].length > 0 &&
  card('Now', facts(suggestedFields[kind].map(field => [fieldLabels[field], describeCurrent(entry, field)] as const)))
