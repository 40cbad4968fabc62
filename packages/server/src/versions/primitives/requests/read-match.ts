import { type Fault, type FieldError, isFault } from '../../../domain/fault.ts'
import type { OwnRecord } from '../../../domain/match.ts'
import type { MatchArgs } from '../../version.ts'
import type { RawQuery, Values } from '../param.ts'
import { readParams } from '../read-params.ts'
import { ownRecordParams, params } from './params.ts'
import { invalidParameters, toFieldError } from './read-args.ts'

/** Parses the parameters of a match. */
export function readMatch(query: RawQuery): MatchArgs | Fault {
  const read = readParams(params.matchLocation, query)
  if ('errors' in read) return invalidParameters(read.errors)
  const own = toOwnRecord(read.values)
  return isFault(own) ? own : { own, limit: read.values.size, locales: read.values.locale }
}

/** Names of the fields of a record. */
export const ownRecordFields: readonly string[] = Object.keys(ownRecordParams)

/** Parses the fields of a record. */
export function readOwnRecord(fields: RawQuery): OwnRecord | Fault {
  const read = readParams(ownRecordParams, fields)
  return 'errors' in read ? invalidParameters(read.errors) : toOwnRecord(read.values)
}

type OwnValues = Values<typeof ownRecordParams>

const companions = 'lat and lon, address, postal_code, city and country_code, phone, or external_id'

/** Returns the record that parameters describe. A name alone describes too many places. */
function toOwnRecord(v: OwnValues): OwnRecord | Fault {
  const missing = findMissing(v)
  if (missing.length > 0) return invalidParameters(missing)
  const {
    lat,
    lon,
    city,
    address,
    postal_code: postalCode,
    country_code: countryCode,
    phone,
    category_id: categoryId,
  } = v
  return {
    name: v.name,
    ...(lat !== undefined && { point: { latitude: lat, longitude: lon! } }),
    ...(address !== undefined && { address }),
    ...(postalCode !== undefined && { postalCode }),
    ...(city !== undefined && { city }),
    ...(countryCode !== undefined && { countryCode }),
    ...(phone !== undefined && { phone }),
    ...(v.external_id !== undefined && { externalId: v.external_id }),
    ...(categoryId !== undefined && { categoryId }),
  }
}

function findMissing(v: OwnValues): FieldError[] {
  const pairs = [
    ['lat', 'lon'],
    ['lon', 'lat'],
    ['city', 'country_code'],
  ] as const
  const halves = pairs.filter(([one, other]) => v[one] !== undefined && v[other] === undefined)
  if (halves.length > 0) return halves.map(([one, other]) => toFieldError(other, `${other} is required with ${one}.`))
  const hasCompanion = [v.lat, v.address, v.postal_code, v.city, v.phone, v.external_id].some(one => one !== undefined)
  return hasCompanion ? [] : [toFieldError('name', `name alone is not enough: add ${companions}.`)]
}
