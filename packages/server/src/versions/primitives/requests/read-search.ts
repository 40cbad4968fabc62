import { type Fault, isFault } from '../../../domain/fault.ts'
import type { Point } from '../../../domain/search.ts'
import type { NearbyArgs, SearchArgs } from '../../version.ts'
import type { RawQuery, Values } from '../param.ts'
import { readParams } from '../read-params.ts'
import { params } from './params.ts'
import { readSearchArea } from './read-area.ts'
import { invalidParameters, toFieldError } from './read-args.ts'
import { toFilters } from './read-filters.ts'

/** Parses the parameters of the location and catalog searches. */
export function readSearch(query: RawQuery, nowMs: number): SearchArgs | Fault {
  const read = readParams(params.searchLocations, query)
  if ('errors' in read) return invalidParameters(read.errors)
  const v = read.values
  const near = readBias(v)
  if (isFault(near)) return near
  const filters = toFilters(v, nowMs)
  if (isFault(filters)) return filters
  return {
    query: {
      text: v.query,
      ...(v.search_type !== undefined && { type: v.search_type }),
      ...filters,
      ...(v.country_code !== undefined && { countryCode: v.country_code }),
      ...(v.geo_name !== undefined && { geoName: v.geo_name }),
      ...(v.postal_code !== undefined && { postalCode: v.postal_code }),
      ...(near && { near }),
      nowMs,
      offset: (v.page - 1) * v.size,
      limit: v.size,
    },
    locales: v.locale,
    page: v.page,
    ...(v.cursor && { cursor: v.cursor }),
    size: v.size,
  }
}

/** Parses the parameters of both nearby operations. Exactly one kind of search area is required. */
export function readNearby(query: RawQuery, nowMs: number): NearbyArgs | Fault {
  const read = readParams(params.nearbyLocations, query)
  if ('errors' in read) return invalidParameters(read.errors)
  const v = read.values
  const within = readSearchArea(v)
  if (isFault(within)) return within
  if ('box' in within && v.sort === 'distance,asc') {
    const message = 'sort=distance,asc requires a centre, a polygon or a route; a box has none.'
    return invalidParameters([toFieldError('sort', message)])
  }
  const filters = toFilters(v, nowMs)
  if (isFault(filters)) return filters
  return {
    query: {
      within,
      sort: v.sort === 'distance,asc' ? 'distance' : 'rating',
      ...filters,
      offset: (v.page - 1) * v.size,
      limit: v.size,
    },
    locales: v.locale,
    page: v.page,
    ...(v.cursor && { cursor: v.cursor }),
    size: v.size,
  }
}

/** Returns the location bias; undefined without coordinates, and a fault if one of them is missing. */
export function readBias({
  lat,
  lon,
}: Pick<Values<typeof params.nearbyLocations>, 'lat' | 'lon'>): Point | undefined | Fault {
  if (lat === undefined && lon === undefined) return undefined
  if (lat !== undefined && lon !== undefined) return { latitude: lat, longitude: lon }
  const [missing, given] = lat === undefined ? ['lat', 'lon'] : ['lon', 'lat']
  return invalidParameters([toFieldError(missing, `${missing} is required with ${given}.`)])
}
