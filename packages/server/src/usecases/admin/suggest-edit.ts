import { isDeepStrictEqual } from 'node:util'
import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { LocationReader } from '../../domain/data-stores.ts'
import type { Id } from '../../domain/id.ts'
import type { LocationEntry } from '../../domain/location.ts'
import { type OverrideField, type OverrideValue, overrideMembers } from '../../domain/override.ts'
import type { OverrideReader } from '../../domain/override-value.ts'
import {
  type SuggestedValues,
  type Suggestion,
  type SuggestionKind,
  type SuggestionStore,
  suggestedFields,
} from '../../domain/suggestion.ts'
import type { Clock } from '../../kit/clock.ts'
import { checkOptionalTexts } from './check-texts.ts'
import { refusalFault, toPlaceRecord } from './place-record.ts'
import { recordOf } from './record.ts'

/** Maximum number of open suggestions of a user: more than a person finds in a day, and less than a queue bears. */
export const maxOpenSuggestions = 50

/** Maximum length of the values of a suggestion as JSON: more than the longest opening hours. */
const maxValueLength = 8000

/** Dependencies of `suggestEdit`. */
export interface SuggestionStores {
  readonly suggestions: SuggestionStore
  readonly locations: LocationReader
  readonly readOverride: OverrideReader
  readonly clock: Clock
  newSuggestionId(): string
}

/** A change that a user suggests. */
export interface SuggestionInput {
  readonly locationId: Id
  readonly kind: SuggestionKind
  /** In the form of imported records; values of fields that the kind does not change are ignored. */
  readonly values: SuggestedValues
  /** The other place of a duplicate. */
  readonly duplicateOf?: Id | undefined
  /** May be blank, except for the kind `other`. */
  readonly comment: string
}

/** Suggests a change of a place on behalf of a user of a partner. Values are checked like imported ones. */
export async function suggestEdit(
  stores: SuggestionStores,
  actor: Actor & { readonly partnerId: string },
  { locationId, kind, values, duplicateOf, comment }: SuggestionInput,
): Promise<Suggestion | AdminFault> {
  if (kind === 'other' && comment.trim() === '') return adminFault('text_empty', ['comment'], {})
  const fault = checkOptionalTexts({ comment })
  if (fault) return fault
  const entry = await findSuggestible(stores.locations, locationId)
  if (isAdminFault(entry)) return entry
  const changed = readChanges(stores.readOverride, entry, kind, values)
  if (isAdminFault(changed)) return changed
  const other = kind === 'duplicate' ? await findOther(stores.locations, entry, duplicateOf) : undefined
  if (isAdminFault(other)) return other
  const { partnerId } = actor
  const suggestion: Suggestion = {
    id: stores.newSuggestionId(),
    ...{ locationId, partnerId, kind, values: changed, state: 'open', by: actor.id, revision: 1 },
    ...(other && { duplicateOf: other.id }),
    ...(comment.trim() !== '' && { comment: comment.trim() }),
    createdMs: stores.clock.nowMs(),
  }
  const outcome = await stores.suggestions.create(
    suggestion,
    maxOpenSuggestions,
    recordOfSuggestion(stores, actor, suggestion),
  )
  if (outcome === 'repeated') return adminFault('suggestion_open', [], { kind })
  return outcome === 'too_many' ? adminFault('suggestions_too_many', [], { max: maxOpenSuggestions }) : suggestion
}

/** Creates the record of a new suggestion. Neither audit nor event has its values, which the suggestion has. */
function recordOfSuggestion(
  { clock }: SuggestionStores,
  actor: Actor,
  { id, locationId, partnerId, kind }: Suggestion,
) {
  const facts = { location_id: String(locationId), kind }
  return recordOf(clock, actor, {
    action: 'suggestion.create',
    target: id,
    partnerId,
    after: facts,
    events: [
      {
        type: 'suggestion.created',
        partnerId,
        data: { suggestion_id: id, partner_id: partnerId, ...facts },
        uniqueKey: `suggestion.created:${id}`,
      },
    ],
  })
}

/** Returns a place for which changes can be suggested, or the fault that it is gone or was merged. */
export async function findSuggestible(locations: LocationReader, id: Id): Promise<LocationEntry | AdminFault> {
  const entry = await locations.get(id)
  if (entry?.id === id) return entry
  return refusalFault(locations, entry ? 'merged' : 'unknown', { id })
}

/** Returns the values that differ from those of the place; a fault if one is not valid, or if none differs. */
function readChanges(
  readOverride: OverrideReader,
  entry: LocationEntry,
  kind: SuggestionKind,
  values: SuggestedValues,
): SuggestedValues | AdminFault {
  const fields: readonly OverrideField[] = suggestedFields[kind]
  const place = toPlaceRecord(entry)
  const changed: Partial<Record<OverrideField, unknown>> = {}
  for (const field of fields) {
    const value = values[field]
    if (value === undefined) continue
    const problem = problemOf(value)
    const valid = problem === undefined ? readOverride(field, value, place) : { problem }
    const read = field === 'urls' && 'value' in valid ? checkAddresses(valid) : valid
    if ('problem' in read) return adminFault('override_invalid', ['value'], { field, detail: read.problem })
    if (!isDeepStrictEqual(read.value, place.location[overrideMembers[field]])) changed[field] = value
  }
  const isUnchanged = fields.length > 0 && Object.keys(changed).length === 0
  return isUnchanged ? adminFault('suggestion_unchanged', [], {}) : changed
}

/** Returns the message about a value that is missing or too long, whatever its field. */
function problemOf(value: unknown): string | undefined {
  const text = JSON.stringify(value)
  if (['null', '""', '[]', '{}'].includes(text))
    return 'Enter the right value. If the place has none, choose “Something else” and say so in the comment.'
  return text.length > maxValueLength ? `The value must have at most ${maxValueLength} characters.` : undefined
}

/** Refuses web addresses that no page could link to: sources are chosen by the operator, users are not. */
function checkAddresses(read: { readonly value: OverrideValue }): ReturnType<OverrideReader> {
  const isWeb = Object.values(read.value).every(url => /^https?:\/\/[^\s/]/i.test(String(url)))
  return isWeb ? read : { problem: 'Web addresses must begin with http:// or https://.' }
}

/** Returns the other place of a duplicate; the survivor of a merged one. */
async function findOther(
  locations: LocationReader,
  { id }: LocationEntry,
  duplicateOf: Id | undefined,
): Promise<LocationEntry | AdminFault> {
  if (duplicateOf === undefined) return adminFault('suggestion_incomplete', ['duplicate_of'], { kind: 'duplicate' })
  const other = await locations.get(duplicateOf)
  if (!other) return adminFault('location_unknown', ['duplicate_of'], { location: duplicateOf })
  return other.id === id ? adminFault('merge_circular', ['duplicate_of'], { location: id, into: duplicateOf }) : other
}
