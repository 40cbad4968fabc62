import type { LocationEntry } from '../../../domain/location.ts'
import { type OverrideField, overrideMembers } from '../../../domain/override.ts'
import type { OverrideReader } from '../../../domain/override-value.ts'
import type { SuggestionKind, SuggestionState } from '../../../domain/suggestion.ts'
import { toPlaceRecord } from '../../../usecases/admin/place-record.ts'
import type { Html, HtmlValue } from '../../../web/html.ts'
import { badge, type Tone } from '../../../web/parts/notice.ts'
import { describeValue } from '../places/place-words.ts'

/** Label of each kind: what is wrong with the place. */
export const kindLabels: Readonly<Record<SuggestionKind, string>> = {
  closed: 'It has closed, or opened again',
  moved: 'It has moved',
  duplicate: 'It is here twice',
  position: 'Wrong position on the map',
  name: 'Wrong name',
  address: 'Wrong address',
  phone: 'Wrong phone number',
  website: 'Wrong web address',
  hours: 'Wrong opening hours',
  other: 'Something else',
}

const states: Readonly<Record<SuggestionState, readonly [Tone | 'plain', string]>> = {
  open: ['info', 'Open'],
  accepted: ['good', 'Accepted'],
  rejected: ['bad', 'Rejected'],
}

/** Returns the state of a suggestion. */
export const suggestionState = (state: SuggestionState): Html => badge(...states[state])

/** Returns the value that a place has for a field. */
export function describeCurrent(entry: LocationEntry, field: OverrideField): HtmlValue {
  const value = entry.location()[overrideMembers[field]]
  return value === undefined ? 'no value' : describeValue(field, value)
}

/** Returns a suggested value as readers know it; one that cannot be read any more as it was sent. */
export function describeSuggested(
  readOverride: OverrideReader,
  entry: LocationEntry,
  field: OverrideField,
  value: unknown,
): HtmlValue {
  const read = readOverride(field, value, toPlaceRecord(entry))
  return 'value' in read ? describeValue(field, read.value) : JSON.stringify(value)
}
