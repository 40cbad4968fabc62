import type { AutocompleteIndex, AutocompleteQuery, AutocompleteResult } from '../../domain/autocomplete.ts'
import type { Scope } from '../../domain/scope.ts'
import type { QueryCaller } from '../../domain/search.ts'
import type { Eventual } from '../../kit/chain.ts'

/**
 * Suggests places and kinds of places for a text that is being typed, within a scope. The index alone answers: a
 * place that was removed less than a second ago may be among them.
 */
export const autocompleteLocations = (
  index: AutocompleteIndex,
  scope: Scope,
  query: Omit<AutocompleteQuery, 'scope'>,
  caller: QueryCaller,
): Eventual<AutocompleteResult> => index.autocomplete({ ...query, scope }, caller)
