import { type Fault, type FieldError, isFault } from '../../../domain/fault.ts'
import type { NearbyArgs, SearchArgs } from '../../version.ts'
import { type RawQuery, readParams, type Values } from '../param.ts'
import { params } from './params.ts'
import { invalid } from './reading.ts'

const kilometresPerMile = 1.609344
const maxRadiusKm = 100
const defaultRadius = 5

/** Reads the parameters of both searches. */
export function readSearch(query: RawQuery, nowMs: number): SearchArgs | Fault {
  const read = readParams(params.searchLocations, query)
  if ('errors' in read) return invalid(read.errors)
  const v = read.values
  const near = pair(v.lat, v.lon)
  if (near === 'half') return invalid(halfPair(v.lat, 'lat', 'lon'))
  return {
    query: {
      text: v.query,
      type: v.search_type,
      ...filtersOf(v, nowMs),
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

/** Reads the parameters of both nearby operations; exactly one kind of centre has to be there. */
export function readNearby(query: RawQuery, nowMs: number): NearbyArgs | Fault {
  const read = readParams(params.nearbyLocations, query)
  if ('errors' in read) return invalid(read.errors)
  const v = read.values
  const within = area(v)
  if (isFault(within)) return within
  const isBox = 'box' in within
  if (isBox && v.sort === 'distance,asc') {
    return invalid([error('sort', 'sort=distance,asc needs a centre: lat and lon, or location_id.')])
  }
  return {
    query: {
      within,
      sort: v.sort === 'distance,asc' ? 'distance' : 'rating',
      ...filtersOf(v, nowMs),
      offset: (v.page - 1) * v.size,
      limit: v.size,
    },
    locales: v.locale,
    page: v.page,
    size: v.size,
  }
}

type NearbyValues = Values<typeof params.nearbyLocations>

const centres = [['lat', 'lon'], ['location_id'], ['sw_lat', 'sw_lon', 'ne_lat', 'ne_lon']] as const

function area(v: NearbyValues): NearbyArgs['query']['within'] | Fault {
  const begun = centres.filter(names => names.some(name => v[name] !== undefined))
  const [names] = begun
  if (!names) return invalid([error('lat', `A centre is required: ${allCentres}.`)])
  if (begun.length > 1) {
    const given = begun.flat().filter(name => v[name] !== undefined)
    return invalid(
      given.map(name => error(name, `${given.join(', ')} do not go together: give exactly one of ${allCentres}.`)),
    )
  }
  const missing = names.filter(name => v[name] === undefined)
  if (missing.length > 0)
    return invalid(missing.map(name => error(name, `${name} is required beside ${present(v, names)}.`)))
  return names.length === 4 ? box(v) : circle(v)
}

const allCentres = 'lat and lon with radius; location_id with radius; or sw_lat, sw_lon, ne_lat and ne_lon'

const present = (v: NearbyValues, names: readonly (keyof NearbyValues)[]): string =>
  names.filter(name => v[name] !== undefined).join(', ')

function box(v: NearbyValues): NearbyArgs['query']['within'] | Fault {
  const [south, west, north, east] = [v.sw_lat!, v.sw_lon!, v.ne_lat!, v.ne_lon!]
  if (v.radius !== undefined) return invalid([error('radius', 'radius does not go with a box.', v.radius)])
  if (south > north) return invalid([error('sw_lat', 'sw_lat must not lie north of ne_lat.', south)])
  return { box: { south, west, north, east } }
}

function circle(v: NearbyValues): NearbyArgs['query']['within'] | Fault {
  const radiusKm = readRadius(v)
  if (isFault(radiusKm)) return radiusKm
  if (v.location_id !== undefined) return { locationId: v.location_id, radiusKm }
  return { centre: { latitude: v.lat!, longitude: v.lon! }, radiusKm }
}

/** A radius in kilometres: `radius` of the `unit`, or 5 of it. */
export function readRadius(v: Pick<NearbyValues, 'radius' | 'unit'>): number | Fault {
  const radius = v.radius ?? defaultRadius
  const radiusKm = v.unit === 'MI' ? radius * kilometresPerMile : radius
  if (radius <= 0) return invalid([error('radius', 'radius must be above 0.', radius)])
  if (radiusKm > maxRadiusKm) return invalid([error('radius', 'radius must be at most 100 km (62.1 mi).', radius)])
  return radiusKm
}

type FilterValues = Pick<NearbyValues, 'category' | 'status' | 'min_rating' | 'price_level' | 'open_now'>

/** The filters of both searches, in the words of the domain. */
const filtersOf = (v: FilterValues, nowMs: number) => ({
  ...(v.category.length > 0 && { categories: v.category }),
  ...(v.status.length > 0 && { statuses: v.status }),
  ...(v.min_rating !== undefined && { minRating: v.min_rating }),
  ...(v.price_level.length > 0 && { priceLevels: v.price_level }),
  ...(v.open_now === true && { openAtMs: nowMs }),
})

/** Latitude and longitude go together. */
function pair(latitude: number | undefined, longitude: number | undefined) {
  if (latitude === undefined && longitude === undefined) return undefined
  return latitude === undefined || longitude === undefined ? 'half' : { latitude, longitude }
}

function halfPair(latitude: number | undefined, latName: string, lonName: string): FieldError[] {
  const [missing, given] = latitude === undefined ? [latName, lonName] : [lonName, latName]
  return [error(missing, `${missing} is required beside ${given}.`)]
}

export const error = (field: string, message: string, value?: number): FieldError => ({
  field,
  message,
  ...(value !== undefined && { rejectedValue: String(value) }),
})
