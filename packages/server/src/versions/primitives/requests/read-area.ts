import { type Fault, isFault } from '../../../domain/fault.ts'
import type { NearbyArgs } from '../../version.ts'
import type { Values } from '../param.ts'
import type { params } from './params.ts'
import { parsePolyline } from './parse-polyline.ts'
import { invalidParameters, toFieldError } from './read-args.ts'

const kmPerMile = 1.609344
/** Maximum radius, and maximum width of a route, in kilometres. */
const maxKm = 100
/** Defaults in the unit of the request. */
const defaultRadius = 5
const defaultWidth = 1

type NearbyValues = Values<typeof params.nearbyLocations>

const areas = [
  ['lat', 'lon'],
  ['location_id'],
  ['sw_lat', 'sw_lon', 'ne_lat', 'ne_lon'],
  ['polygon'],
  ['route'],
] as const

/** Returns the search area, or a fault if the parameters contain no area, several areas or an incomplete one. */
export function readSearchArea(v: NearbyValues): NearbyArgs['query']['within'] | Fault {
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
  const stray = findStray(v, names[0])
  if (stray !== undefined) return stray
  if (v.polygon !== undefined) return { polygons: v.polygon }
  if (v.route !== undefined) return readRoute(v, v.route)
  return names.length === 4 ? readBox(v) : readCircle(v)
}

const allAreas =
  'lat and lon with radius; location_id with radius; sw_lat, sw_lon, ne_lat and ne_lon; polygon; or route with width'

const listSentNames = (v: NearbyValues, names: readonly (keyof NearbyValues)[]): string =>
  names.filter(name => v[name] !== undefined).join(', ')

/** Returns a fault for a radius without a centre, and for a width without a route. */
function findStray({ radius, width }: NearbyValues, first: (typeof areas)[number][0]): Fault | undefined {
  if (radius !== undefined && first !== 'lat' && first !== 'location_id') {
    const area = first === 'sw_lat' ? 'a box' : `a ${first}`
    const hint = first === 'route' ? '; send width' : ''
    return invalidParameters([toFieldError('radius', `radius cannot be combined with ${area}${hint}.`, radius)])
  }
  return width === undefined || first === 'route'
    ? undefined
    : invalidParameters([toFieldError('width', 'width requires route.', width)])
}

function readBox(v: NearbyValues): NearbyArgs['query']['within'] | Fault {
  const [south, west, north, east] = [v.sw_lat!, v.sw_lon!, v.ne_lat!, v.ne_lon!]
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

function readRoute(v: NearbyValues, text: string): NearbyArgs['query']['within'] | Fault {
  const width = toKilometres('width', v.width ?? defaultWidth, v.unit)
  if (isFault(width)) return width
  const route = parsePolyline(text, v.route_precision)
  if (typeof route !== 'string') return { route, halfWidthKm: width / 2 }
  const rejectedValue = text.slice(0, 200)
  return invalidParameters([{ field: 'route', message: `route ${route}.`, rejectedValue }])
}

/** Returns the radius in kilometres; the default is 5 in the given unit. */
export const readRadius = (v: Pick<NearbyValues, 'radius' | 'unit'>): number | Fault =>
  toKilometres('radius', v.radius ?? defaultRadius, v.unit)

/** Converts a length to kilometres; a fault if it is not above 0 and at most 100 km. */
function toKilometres(field: 'radius' | 'width', length: number, unit: NearbyValues['unit']): number | Fault {
  const km = unit === 'MI' ? length * kmPerMile : length
  if (length <= 0) return invalidParameters([toFieldError(field, `${field} must be greater than 0.`, length)])
  if (km > maxKm) return invalidParameters([toFieldError(field, `${field} must be at most 100 km (62.1 mi).`, length)])
  return km
}
