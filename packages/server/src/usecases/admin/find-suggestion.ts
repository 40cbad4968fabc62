import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { LocationReader } from '../../domain/data-stores.ts'
import type { ListPart } from '../../domain/list-order.ts'
import type { SuggestedPlace, Suggestion, SuggestionSpan, SuggestionStore } from '../../domain/suggestion.ts'
import { visibilityOf } from '../../domain/visibility.ts'

/** Returns a suggestion that the actor may see, with its place. */
export async function getSuggestion(
  { suggestions, locations }: { readonly suggestions: SuggestionStore; readonly locations: LocationReader },
  actor: Actor,
  { id }: { readonly id: string },
): Promise<SuggestedPlace | AdminFault> {
  const suggestion = await findSuggestion(suggestions, actor, id)
  return isAdminFault(suggestion) ? suggestion : { suggestion, entry: await locations.get(suggestion.locationId) }
}

/** Lists a part of the suggestions that the actor may see, in an order. */
export const listSuggestions = (
  { suggestions }: { readonly suggestions: SuggestionStore },
  actor: Actor,
  span: SuggestionSpan,
): Promise<ListPart<Suggestion>> => suggestions.part(visibilityOf(actor), span)

/** Returns an open suggestion, or the fault that it does not exist, was decided, or has another revision. */
export async function findOpenSuggestion(
  suggestions: SuggestionStore,
  actor: Actor,
  { id, expectedRevision }: { readonly id: string; readonly expectedRevision: number },
): Promise<Suggestion | AdminFault> {
  const found = await findSuggestion(suggestions, actor, id)
  if (isAdminFault(found)) return found
  const { state, revision } = found
  if (state !== 'open') return adminFault('suggestion_decided', ['id'], { suggestion: id, state })
  if (revision === expectedRevision) return found
  return adminFault('changed_meanwhile', [], { resource: 'suggestion', id, expectedRevision, revision })
}

const findSuggestion = async (suggestions: SuggestionStore, actor: Actor, id: string) =>
  (await suggestions.get(id, visibilityOf(actor))) ?? adminFault('suggestion_unknown', ['id'], { suggestion: id })
