import { fault, isFault } from '../../../domain/fault.ts'
import { chain } from '../../../kit/chain.ts'
import { autocompleteLocations } from '../../../usecases/partner/autocomplete-locations.ts'
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
    const { version, scope, query } = call
    const args = version.read.autocompleteLocations(query)
    if (isFault(args)) return args
    const unavailable = index.notReady()
    if (unavailable) return unavailable
    return chain(autocompleteLocations(index, scope, args.query, callerOf(call)), ({ suggestions }) => ({
      rendered: render({ data: suggestions.map(version.present.suggestion) }),
      entities: suggestions.length,
    }))
  },
}

/** Creates the handler of search-as-you-type. */
export const createAutocompleteOperations = (parts: AutocompleteParts) => bindParts(parts, handlers)
