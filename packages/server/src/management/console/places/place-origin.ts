import type { LocationEntry } from '../../../domain/location.ts'
import { isWholeField, type Override } from '../../../domain/override.ts'
import { type Html, html } from '../../../web/html.ts'
import { badge } from '../../../web/parts/notice.ts'
import { time } from '../../../web/parts/time.ts'
import { describeValue } from '../../shared/places/place-words.ts'
import type { ActorNames } from '../actor-names.ts'

/** Says where a value comes from; for an overridden one also why, and what the source has. */
export function originOf(override: Override | undefined, entry: LocationEntry, zone: string, nameOf: ActorNames): Html {
  if (!override) return html`<span class="quiet">${entry.source}</span>`
  const { actor, atMs, reason, imported, field } = override
  return html`${badge('info', 'Overridden')} by ${nameOf(actor)}, ${time(atMs, zone)}<div>${reason}</div>
${
  !isWholeField(field) &&
  html`<div class="quiet small">${entry.source} has:
${imported === undefined ? 'no value' : describeValue(field, imported)}</div>`
}`
}
