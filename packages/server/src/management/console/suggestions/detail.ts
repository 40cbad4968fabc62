import { type AdminFault, isAdminFault } from '../../../domain/admin-fault.ts'
import type { LocationEntry } from '../../../domain/location.ts'
import type { SuggestedPlace, Suggestion } from '../../../domain/suggestion.ts'
import { acceptSuggestion, rejectSuggestion } from '../../../usecases/admin/decide-suggestion.ts'
import { getSuggestion } from '../../../usecases/admin/find-suggestion.ts'
import { listUsers } from '../../../usecases/admin/list-users.ts'
import { type HtmlValue, html } from '../../../web/html.ts'
import { card, facts } from '../../../web/parts/facts.ts'
import { type Field, form } from '../../../web/parts/form.ts'
import { link } from '../../../web/parts/link.ts'
import { mapScripts, mapStyles } from '../../../web/parts/map.ts'
import { notice } from '../../../web/parts/notice.ts'
import { sameElsewhere } from '../../../web/parts/same.ts'
import { time } from '../../../web/parts/time.ts'
import { linkTo } from '../../../web/site.ts'
import type { ManagementContext } from '../../context.ts'
import { type RefusedForm, refuseForm } from '../../pages/form-faults.ts'
import type { PageAnswer, PageRequest } from '../../pages/page-route.ts'
import type { PageView } from '../../pages/page-view.ts'
import { revisionField, revisionOf } from '../../pages/revision.ts'
import { readNames } from '../../shared/names.ts'
import { placeName } from '../../shared/places/place-words.ts'
import { kindLabels, suggestionState } from '../../shared/suggestions/words.ts'
import { actorName } from '../../shared/timeline.ts'
import { placePath } from '../places/place-path.ts'
import { comparison } from './comparison.ts'
import { suggestionsPath } from './list.ts'

/** The refused form of a page with two. */
interface Refused {
  readonly which: 'accept' | 'reject'
  readonly form: RefusedForm
}

/** Shows a suggestion next to what the place has, and the forms that decide on it. */
export async function suggestionPage(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const found = await getSuggestion(context.places, request.actor, { id: request.params.id! })
  return isAdminFault(found) ? found : render(context, request, found)
}

async function render(
  context: ManagementContext,
  request: PageRequest,
  { suggestion, entry }: SuggestedPlace,
  refused?: Refused,
): Promise<PageView> {
  const { id, kind, state, locationId, duplicateOf } = suggestion
  const present = entry?.id === locationId ? entry : undefined
  const other = duplicateOf === undefined ? undefined : await context.places.locations.get(duplicateOf)
  return {
    ...(refused && { status: refused.form.status }),
    title: kindLabels[kind],
    trail: [{ path: suggestionsPath, label: 'Suggestions' }],
    lead: html`${suggestionState(state)} ${entry ? placeName(entry.location()) : `Place ${locationId}`}`,
    scripts: mapScripts,
    styles: mapStyles,
    content: [
      state === 'open' && !present && goneNotice(request, suggestion, entry),
      await aboutCard(context, request, suggestion, entry),
      present && state === 'open' && comparison(context, request, suggestion, { entry: present, other }),
      state === 'open' && request.may('places:write') && decisionForms(request, suggestion, present, refused),
      sameElsewhere({
        cli: [`periplus suggestions accept ${id}`, `periplus suggestions reject ${id} --reason TEXT`],
        api: [`POST /admin/v1/suggestions/${id}/accept`, `POST /admin/v1/suggestions/${id}/reject`],
      }),
    ],
  }
}

/** Says that the place of an open suggestion was removed or merged since. */
const goneNotice = (request: PageRequest, { locationId }: Suggestion, survivor: LocationEntry | undefined) =>
  notice(
    'warn',
    survivor
      ? html`<p>Place ${String(locationId)} was merged into
<a href="${placePath(request, survivor.id)}">${placeName(survivor.location())}</a>, so the suggestion cannot be
accepted. Change that place where it is right, and reject the suggestion.</p>`
      : html`<p>Place ${String(locationId)} was removed, so the suggestion cannot be accepted.</p>`,
  )

async function aboutCard(
  context: ManagementContext,
  request: PageRequest,
  suggestion: Suggestion,
  entry: LocationEntry | undefined,
): Promise<HtmlValue> {
  const { actor, site, zone } = request
  const { partnerId, locationId, comment, by, createdMs, decidedBy, decidedMs, reason, values } = suggestion
  const users = await listUsers(context.identity, actor, {})
  const names = await readNames(context, request, 'partner', [partnerId])
  const partner = names.get(partnerId) ?? partnerId
  const place = entry ? placeName(entry.location()) : String(locationId)
  return card(
    'Suggestion',
    facts([
      ['Place', link(placePath(request, locationId), place)],
      ['Partner', link(linkTo(site, `/console/partners/${partnerId}`), partner)],
      ['Comment', comment],
      ['Suggested', html`${time(createdMs, zone)} by ${actorName(by, users)}`],
      ['Decided', decidedMs !== undefined && html`${time(decidedMs, zone)} by ${actorName(decidedBy ?? '', users)}`],
      ['Reason', reason],
      ['Values', suggestion.state !== 'open' && Object.keys(values).length > 0 && JSON.stringify(values)],
    ]),
  )
}

const acceptFields = (suggestion: Suggestion): Field[] => [
  revisionField(suggestion),
  { name: 'reason', label: 'Answer to the user', type: 'textarea', rows: 2, required: false },
]

const rejectFields = (suggestion: Suggestion): Field[] => [
  revisionField(suggestion),
  { name: 'reason', id: 'reject-reason', label: 'Reason for the user', type: 'textarea', rows: 2 },
]

function decisionForms(
  { site }: PageRequest,
  suggestion: Suggestion,
  present: LocationEntry | undefined,
  refused: Refused | undefined,
): HtmlValue {
  const path = linkTo(site, `${suggestionsPath}/${suggestion.id}`)
  const of = (which: Refused['which'], fields: readonly Field[]) => {
    const { fields: shown, error } = refused?.which === which ? refused.form : { fields, error: undefined }
    return { action: `${path}/${which}`, fields: shown, error }
  }
  return [
    present &&
      card(
        'Accept',
        html`<p class="quiet">${effectOf(suggestion)}</p>
${form({ ...of('accept', acceptFields(suggestion)), button: 'Accept' })}`,
        { id: 'accept' },
      ),
    card('Reject', form({ ...of('reject', rejectFields(suggestion)), button: 'Reject', kind: 'danger' }), {
      id: 'reject',
    }),
  ]
}

function effectOf({ duplicateOf, values }: Suggestion): string {
  if (duplicateOf !== undefined) return 'The places are merged. Imports do not undo it; you can lift the merge.'
  return Object.keys(values).length === 0
    ? 'It has no values: change the place first, where it is right.'
    : 'The values win over imports until you lift them. Search, answers and feeds have them within a second.'
}

/** Accepts a suggestion. */
export async function acceptPage(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const reason = request.form.text('reason')
  const choice = { ...choiceOf(request), ...(reason !== '' && { reason }) }
  return finish(context, request, await acceptSuggestion(context.places, request.actor, choice), 'accept')
}

/** Rejects a suggestion. */
export async function rejectPage(context: ManagementContext, request: PageRequest): Promise<PageAnswer> {
  const choice = { ...choiceOf(request), reason: request.form.text('reason') }
  return finish(context, request, await rejectSuggestion(context.places, request.actor, choice), 'reject')
}

const choiceOf = ({ params, form: sent }: PageRequest) => ({ id: params.id!, expectedRevision: revisionOf(sent) })

async function finish(
  context: ManagementContext,
  request: PageRequest,
  decided: Suggestion | AdminFault,
  which: Refused['which'],
): Promise<PageAnswer> {
  if (!isAdminFault(decided)) return { redirect: suggestionsPath, message: `The suggestion was ${decided.state}.` }
  const found = await getSuggestion(context.places, request.actor, { id: request.params.id! })
  if (isAdminFault(found)) return found
  if (found.suggestion.state !== 'open' || decided.fault === 'location_merged' || decided.fault === 'location_unknown')
    return decided
  const fields = which === 'accept' ? acceptFields : rejectFields
  return render(context, request, found, { which, form: refuseForm(fields(found.suggestion), request.form, decided) })
}
