import { digestSession, hashLetters } from '../../../access/session-name.ts'
import type { Suggestion } from '../../../domain/autocomplete.ts'
import type { TypedUse } from '../../../domain/autocomplete-session.ts'
import { fault, isFault } from '../../../domain/fault.ts'
import { chain } from '../../../kit/chain.ts'
import { autocompleteLocations } from '../../../usecases/partner/autocomplete-locations.ts'
import { checkCategories } from '../../../usecases/partner/check-categories.ts'
import type { AutocompleteArgs } from '../../../versions/version.ts'
import { bindParts, type HandlerTable } from '../call.ts'
import { render } from '../render.ts'
import { callerOf, type ServedIndex } from './search.ts'

/** Dependencies of search-as-you-type. */
export interface AutocompleteParts {
  readonly index: ServedIndex
  readonly settings: { readonly autocomplete: boolean }
}

const handlers: HandlerTable<AutocompleteParts, 'autocompleteLocations'> = {
  autocompleteLocations: ({ index, settings }, call) => {
    if (!settings.autocomplete)
      return fault('path_unknown', { detail: 'The operator of this service has switched autocomplete off.' })
    const { version, scope, query, key } = call
    const args = version.read.autocompleteLocations(query)
    if (isFault(args)) return args
    const refused = index.notReady() ?? checkCategories(index, scope, args.query.categoryIds)
    if (refused) return refused
    return chain(autocompleteLocations(index, scope, args.query, callerOf(call)), ({ suggestions }) => ({
      rendered: render({ data: suggestions.map(version.present.suggestion) }),
      entities: suggestions.length,
      session:
        args.session === undefined ? undefined : toTypedUse(digestSession(key.id, args.session), args, suggestions),
    }))
  },
}

/** Returns the use of a session by a call that suggested places for a text. */
const toTypedUse = (session: string, { query }: AutocompleteArgs, suggestions: readonly Suggestion[]): TypedUse => ({
  kind: 'typed',
  session,
  letters: hashLetters(session, query.text),
  offered: suggestions.flatMap(one => (one.type === 'location' ? [one.id] : [])),
})

/** Creates the handler of search-as-you-type. */
export const createAutocompleteOperations = (parts: AutocompleteParts) => bindParts(parts, handlers)
