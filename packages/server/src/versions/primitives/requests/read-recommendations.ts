import { type Fault, isFault } from '../../../domain/fault.ts'
import type { PlaceAsked } from '../../../domain/recommendation.ts'
import type { RecommendationArgs } from '../../version.ts'
import { type RawQuery, readParams, type Values } from '../param.ts'
import { params } from './params.ts'
import { error, readRadius } from './read-search.ts'
import { invalid } from './reading.ts'

/** Reads the parameters of recommendations: one place scope at most, for the query may name the place. */
export function readRecommendations(query: RawQuery): RecommendationArgs | Fault {
  const read = readParams(params.searchRecommendations, query)
  if ('errors' in read) return invalid(read.errors)
  const v = read.values
  const place = placeOf(v)
  if (isFault(place)) return place
  return {
    query: {
      text: v.query,
      ...(place && { place }),
      ...(v.category.length > 0 && { categories: v.category }),
      ...(v.trip_type !== undefined && { tripType: v.trip_type }),
      excluded: v.exclude_location_ids,
      languages: v.locale,
      limit: v.limit,
    },
    locales: v.locale,
  }
}

type RecommendationValues = Values<typeof params.searchRecommendations>

const scopes = [['geo_id'], ['geo_name'], ['lat', 'lon', 'radius']] as const
const allScopes = 'geo_id; geo_name; or lat and lon with radius'

function placeOf(v: RecommendationValues): PlaceAsked | undefined | Fault {
  const begun = scopes.filter(names => names.some(name => v[name] !== undefined))
  if (begun.length === 0) return undefined
  const given = begun.flat().filter(name => v[name] !== undefined)
  if (begun.length > 1) {
    return invalid(
      given.map(name => error(name, `${given.join(', ')} do not go together: give exactly one of ${allScopes}.`)),
    )
  }
  if (v.geo_id !== undefined) return { geoId: v.geo_id }
  if (v.geo_name !== undefined) return { geoName: v.geo_name }
  const missing = (['lat', 'lon'] as const).filter(name => v[name] === undefined)
  if (missing.length > 0)
    return invalid(missing.map(name => error(name, `${name} is required beside ${given.join(', ')}.`)))
  const radiusKm = readRadius(v)
  return isFault(radiusKm) ? radiusKm : { centre: { latitude: v.lat!, longitude: v.lon! }, radiusKm }
}
