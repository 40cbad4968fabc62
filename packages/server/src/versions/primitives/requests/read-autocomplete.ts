import { type Fault, isFault } from '../../../domain/fault.ts'
import type { AutocompleteArgs } from '../../version.ts'
import type { RawQuery } from '../param.ts'
import { readParams } from '../read-params.ts'
import { params } from './params.ts'
import { invalidParameters } from './read-args.ts'
import { toKindFilters } from './read-filters.ts'
import { readBias } from './read-search.ts'

/** Parses the parameters of search-as-you-type. */
export function readAutocomplete(query: RawQuery): AutocompleteArgs | Fault {
  const read = readParams(params.autocompleteLocations, query)
  if ('errors' in read) return invalidParameters(read.errors)
  const v = read.values
  const near = readBias(v)
  if (isFault(near)) return near
  return {
    ...(v.session !== undefined && { session: v.session }),
    query: {
      text: v.query,
      locales: v.locale,
      limit: v.size,
      ...(v.country_code !== undefined && { countryCode: v.country_code }),
      ...toKindFilters(v),
      ...(near && { near }),
    },
  }
}
