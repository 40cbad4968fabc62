import type { AdminFaultOf } from '../domain/admin-fault.ts'
import type { SuggestionFaultFacts } from '../domain/suggestion-fault.ts'
import { CommandError } from './errors.ts'

/** The messages of the faults of suggestions, which the portal alone makes. */
export const suggestionFaultErrors: {
  readonly [C in keyof SuggestionFaultFacts]: (fault: AdminFaultOf<C>) => Error
} = {
  suggestion_unknown: ({ suggestion }) =>
    new CommandError(
      `Suggestion ${suggestion} does not exist. Run 'periplus suggestions list' to see all suggestions.`,
    ),
  suggestion_decided: ({ suggestion, state }) => new CommandError(`Suggestion ${suggestion} is already ${state}.`),
  suggestion_incomplete: ({ kind }) => new CommandError(`A suggestion of the kind ${kind} is incomplete.`),
  suggestion_unchanged: () => new CommandError('The place already has the suggested values.'),
  suggestion_open: ({ kind }) => new CommandError(`The user has an open suggestion of the kind ${kind} for the place.`),
  suggestions_too_many: ({ max }) => new CommandError(`The user has ${max} open suggestions, the maximum.`),
}
