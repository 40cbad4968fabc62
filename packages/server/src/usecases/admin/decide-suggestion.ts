import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { OverrideField } from '../../domain/override.ts'
import type { OverrideReader } from '../../domain/override-value.ts'
import type { Suggestion, SuggestionDecision, SuggestionStore } from '../../domain/suggestion.ts'
import type { Clock } from '../../kit/clock.ts'
import { checkReason, checkTexts } from './check-texts.ts'
import { findOpenSuggestion } from './find-suggestion.ts'
import { mergeLocation } from './merge-location.ts'
import { overrideLocation, type PlaceStores } from './override-location.ts'
import { recordOf } from './record.ts'

/** A decision about a suggestion, based on the revision that the caller read. */
export interface SuggestionChoice {
  readonly id: string
  readonly expectedRevision: number
  /** Text for the user; required for a rejection. */
  readonly reason?: string | undefined
}

interface Deciding {
  readonly suggestions: SuggestionStore
  readonly clock: Clock
}

/**
 * Accepts an open suggestion: its values become overrides, or the place is merged into its duplicate, so that imports
 * do not undo it. The place is changed first: after a crash in between, the suggestion is still open, and
 * accepting it again finishes it.
 */
export async function acceptSuggestion(
  stores: Deciding & PlaceStores & { readonly readOverride: OverrideReader },
  actor: Actor,
  { reason, ...choice }: SuggestionChoice,
): Promise<Suggestion | AdminFault> {
  const fault = checkTexts({ reason })
  if (fault) return fault
  const suggestion = await findOpenSuggestion(stores.suggestions, actor, choice)
  if (isAdminFault(suggestion)) return suggestion
  const refused = await changePlace(stores, actor, suggestion)
  return refused ?? decide(stores, actor, suggestion, { state: 'accepted', reason })
}

/** Rejects an open suggestion with a reason for its user. */
export async function rejectSuggestion(
  stores: Deciding,
  actor: Actor,
  { reason = '', ...choice }: SuggestionChoice,
): Promise<Suggestion | AdminFault> {
  const fault = checkReason(reason)
  if (fault) return fault
  const suggestion = await findOpenSuggestion(stores.suggestions, actor, choice)
  return isAdminFault(suggestion) ? suggestion : decide(stores, actor, suggestion, { state: 'rejected', reason })
}

/** Makes the change that is suggested; returns the fault of one that can no longer be made. */
async function changePlace(
  stores: PlaceStores & { readonly readOverride: OverrideReader },
  actor: Actor,
  { id: suggestionId, locationId: id, duplicateOf, values }: Suggestion,
): Promise<AdminFault | undefined> {
  const reason = `Suggestion ${suggestionId}`
  if (duplicateOf !== undefined) {
    const into = (await stores.locations.get(duplicateOf))?.id ?? duplicateOf
    const merged = await mergeLocation(stores, actor, { id, into, reason })
    if (!isAdminFault(merged)) return undefined
    // An earlier attempt has merged it.
    return merged.fault === 'location_merged' && merged.survivor === into ? undefined : merged
  }
  for (const [field, value] of Object.entries(values) as [OverrideField, unknown][]) {
    const overridden = await overrideLocation(stores, actor, { id, field, value, reason })
    if (isAdminFault(overridden)) return overridden
  }
  return undefined
}

const verbs = { accepted: 'accept', rejected: 'reject' } as const

async function decide(
  { suggestions, clock }: Deciding,
  actor: Actor,
  { id, partnerId, locationId, revision, state: before }: Suggestion,
  { state, reason }: Pick<SuggestionDecision, 'state' | 'reason'>,
): Promise<Suggestion | AdminFault> {
  const record = recordOf(clock, actor, {
    action: `suggestion.${verbs[state]}`,
    target: id,
    partnerId,
    before: { state: before },
    after: { state, reason, location_id: String(locationId) },
  })
  const decision = { state, by: actor.id, atMs: record.audit.atMs, reason: reason?.trim() }
  const decided = await suggestions.decide(id, revision, decision, record)
  if (decided) return decided
  const current = await findOpenSuggestion(suggestions, actor, { id, expectedRevision: revision })
  return isAdminFault(current) ? current : adminFault('suggestion_unknown', ['id'], { suggestion: id })
}
