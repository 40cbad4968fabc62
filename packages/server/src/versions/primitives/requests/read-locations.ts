import type { Fault } from '../../../domain/fault.ts'
import type { LocationsArgs } from '../../version.ts'
import type { RawQuery } from '../param.ts'
import { params } from './params.ts'
import { invalidParameters, readArgs, toFieldError } from './read-args.ts'

/** Parses the parameters of a multi-GET: ids, or ids in other sources. */
export function readLocations(query: RawQuery): LocationsArgs | Fault {
  return readArgs<typeof params.getLocations, LocationsArgs | Fault>(params.getLocations, query, v => {
    const { ids, external_id: externalIds, locale: locales } = v
    if (ids.length > 0 && externalIds.length > 0)
      return invalidParameters(
        ['ids', 'external_id'].map(name => toFieldError(name, 'Send either ids or external_id, not both.')),
      )
    if (ids.length === 0 && externalIds.length === 0)
      return invalidParameters([
        toFieldError('ids', 'ids is required: one or more ids separated by commas, or external_id in its place.'),
      ])
    return { ids, externalIds, locales }
  })
}
