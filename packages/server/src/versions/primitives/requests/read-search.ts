import { type Fault, type FieldError, isFault } from '../../../domain/fault.ts'
import type { Point } from '../../../domain/search.ts'
import type { NearbyArgs, SearchArgs } from '../../version.ts'
import type { RawQuery, Values } from '../param.ts'
import { readParams } from '../read-params.ts'
import { params } from './params.ts'
import { invalidParameters } from './read-args.ts'

const kmPerMile = 1.609344
const maxRadiusKm = 100
const defaultRadius = 5

/** Parses the parameters of the location and catalog searches. */
export function readSearch(query: RawQuery, nowMs: number): SearchArgs | Fault {
  const read = readParams(params.searchLocations, query)
  if ('errors' in read) return invalidParameters(read.errors)
  const v = read.values
  const near = readBias(v)
  if (isFault(near)) return near
  return {
    query: {
      text: v.query,
      ...(v.search_type !== undefined && { type: v.search_type }),
      ...toFilters(v, nowMs),
      ...(v.country_code !== undefined && { countryCode: v.country_code }),
      ...(v.geo_name !== undefined && { geoName: v.geo_name }),
      ...(v.postal_code !== undefined && { postalCode: v.postal_code }),
      ...(near && { near }),
      offset: (v.page - 1) * v.size,
      limit: v.size,
    },
    locales: v.locale,
    page: v.page,
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
  const isBox = 'box' in within
  if (isBox && v.sort === 'distance,asc') {
    return invalidParameters([
      toFieldError('sort', 'sort=distance,asc requires a centre: lat and lon, or location_id.'),
    ])
  }
  return {
    query: {
      within,
      sort: v.sort === 'distance,asc' ? 'distance' : 'rating',
      ...toFilters(v, nowMs),
      offset: (v.page - 1) * v.size,
      limit: v.size,
    },
    locales: v.locale,
    page: v.page,
    size: v.size,
  }
}

type NearbyValues = Values<typeof params.nearbyLocations>

const areas = [['lat', 'lon'], ['location_id'], ['sw_lat', 'sw_lon', 'ne_lat', 'ne_lon']] as const

/** Returns the search area, or a fault if the parameters contain no area, several areas or an incomplete one. */
function readSearchArea(v: NearbyValues): NearbyArgs['query']['within'] | Fault {
  const present = areas.filter(names => names.some(name => v[name] !== undefined))
  const [names] = present
  if (!names) return invalidParameters([toFieldError('lat', `A search area is required: ${allAreas}.`)])
  if (present.length > 1) {
    const given = present.flat().filter(name => v[name] !== undefined)
    return invalidParameters(
      given.map(name => toFieldError(name, `${given.join(', ')} cannot be combined; send exactly one of ${allAreas}.`)),
    )
  }
  const missing = names.filter(name => v[name] === undefined)
  if (missing.length > 0)
    return invalidParameters(
      missing.map(name => toFieldError(name, `${name} is required with ${listSentNames(v, names)}.`)),
    )
  return names.length === 4 ? readBox(v) : readCircle(v)
}

const allAreas = 'lat and lon with radius; location_id with radius; or sw_lat, sw_lon, ne_lat and ne_lon'

const listSentNames = (v: NearbyValues, names: readonly (keyof NearbyValues)[]): string =>
  names.filter(name => v[name] !== undefined).join(', ')

function readBox(v: NearbyValues): NearbyArgs['query']['within'] | Fault {
  const [south, west, north, east] = [v.sw_lat!, v.sw_lon!, v.ne_lat!, v.ne_lon!]
  if (v.radius !== undefined)
    return invalidParameters([toFieldError('radius', 'radius cannot be combined with a box.', v.radius)])
  if (south > north)
    return invalidParameters([toFieldError('sw_lat', 'sw_lat must not be greater than ne_lat.', south)])
  return { box: { south, west, north, east } }
}

function readCircle(v: NearbyValues): NearbyArgs['query']['within'] | Fault {
  const radiusKm = readRadius(v)
  if (isFault(radiusKm)) return radiusKm
  if (v.location_id !== undefined) return { locationId: v.location_id, radiusKm }
  return { centre: { latitude: v.lat!, longitude: v.lon! }, radiusKm }
}

/** Returns the radius in kilometres; the default is 5 in the given unit. */
export function readRadius(v: Pick<NearbyValues, 'radius' | 'unit'>): number | Fault {
  const radius = v.radius ?? defaultRadius
  const radiusKm = v.unit === 'MI' ? radius * kmPerMile : radius
  if (radius <= 0) return invalidParameters([toFieldError('radius', 'radius must be greater than 0.', radius)])
  if (radiusKm > maxRadiusKm)
    return invalidParameters([toFieldError('radius', 'radius must be at most 100 km (62.1 mi).', radius)])
  return radiusKm
}

type FilterValues = Pick<NearbyValues, 'category' | 'status' | 'min_rating' | 'price_level' | 'open_now'>

/** Returns the filters of search and nearby requests as members of the domain's queries. */
const toFilters = (v: FilterValues, nowMs: number) => ({
  ...(v.category.length > 0 && { categories: v.category }),
  ...(v.status.length > 0 && { statuses: v.status }),
  ...(v.min_rating !== undefined && { minRating: v.min_rating }),
  ...(v.price_level.length > 0 && { priceLevels: v.price_level }),
  ...(v.open_now === true && { openAtMs: nowMs }),
})

/** Returns the location bias; undefined without coordinates, and a fault if one of them is missing. */
export function readBias({ lat, lon }: Pick<NearbyValues, 'lat' | 'lon'>): Point | undefined | Fault {
  if (lat === undefined && lon === undefined) return undefined
  if (lat !== undefined && lon !== undefined) return { latitude: lat, longitude: lon }
  const [missing, given] = lat === undefined ? ['lat', 'lon'] : ['lon', 'lat']
  return invalidParameters([toFieldError(missing, `${missing} is required with ${given}.`)])
}

/** Builds a field error. */
export const toFieldError = (field: string, message: string, value?: number): FieldError => ({
  field,
  message,
  ...(value !== undefined && { rejectedValue: String(value) }),
})
