import { type Fault, isFault } from '../../../domain/fault.ts'
import type { DestinationQuery } from '../../../domain/recommendation.ts'
import type { RecommendationArgs } from '../../version.ts'
import type { RawQuery, Values } from '../param.ts'
import { readParams } from '../read-params.ts'
import { params } from './params.ts'
import { readRadius } from './read-area.ts'
import { invalidParameters, toFieldError } from './read-args.ts'
import { toKindFilters } from './read-filters.ts'

/**
 * Parses the parameters of recommendations. At most one area is allowed; the query text may also contain one.
 */
export function readRecommendations(query: RawQuery): RecommendationArgs | Fault {
  const read = readParams(params.searchRecommendations, query)
  if ('errors' in read) return invalidParameters(read.errors)
  const v = read.values
  const destination = toDestination(v)
  if (isFault(destination)) return destination
  return {
    query: {
      text: v.query,
      ...(destination && { destination }),
      ...toKindFilters(v),
      ...(v.trip_type !== undefined && { tripType: v.trip_type }),
      excluded: v.exclude_location_ids,
      languages: v.locale,
      limit: v.limit,
    },
    locales: v.locale,
  }
}

type RecommendationValues = Values<typeof params.searchRecommendations>

const areas = [['geo_id'], ['geo_name'], ['lat', 'lon', 'radius']] as const
const allAreas = 'geo_id; geo_name; or lat and lon with radius'

function toDestination(v: RecommendationValues): DestinationQuery | undefined | Fault {
  const present = areas.filter(names => names.some(name => v[name] !== undefined))
  if (present.length === 0) return undefined
  const given = present.flat().filter(name => v[name] !== undefined)
  if (present.length > 1) {
    return invalidParameters(
      given.map(name => toFieldError(name, `${given.join(', ')} cannot be combined; send exactly one of ${allAreas}.`)),
    )
  }
  if (v.geo_id !== undefined) return { geoId: v.geo_id }
  if (v.geo_name !== undefined) return { geoName: v.geo_name }
  const missing = (['lat', 'lon'] as const).filter(name => v[name] === undefined)
  if (missing.length > 0)
    return invalidParameters(missing.map(name => toFieldError(name, `${name} is required with ${given.join(', ')}.`)))
  const radiusKm = readRadius(v)
  return isFault(radiusKm) ? radiusKm : { centre: { latitude: v.lat!, longitude: v.lon! }, radiusKm }
}
