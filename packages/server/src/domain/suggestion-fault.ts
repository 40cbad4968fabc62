import type { SuggestionKind, SuggestionState } from './suggestion.ts'

/** Members of the faults of suggestions, by code (see AdminFaultFacts). */
export interface SuggestionFaultFacts {
  suggestion_unknown: { readonly suggestion: string }
  /** The suggestion has ended. */
  suggestion_decided: { readonly suggestion: string; readonly state: SuggestionState }
  /** A suggestion of the kind requires the member that `fields` names. */
  suggestion_incomplete: { readonly kind: SuggestionKind }
  /** The place has what is suggested. */
  suggestion_unchanged: object
  /** The user has an open suggestion of the kind for the place. */
  suggestion_open: { readonly kind: SuggestionKind }
  /** The user has `max` open suggestions. */
  suggestions_too_many: { readonly max: number }
}
