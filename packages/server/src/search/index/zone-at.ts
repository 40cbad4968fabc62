import { createRequire } from 'node:module'

// The package is a CommonJS module that exports only this function.
const lookUp = createRequire(import.meta.url)('@photostructure/tz-lookup') as (
  latitude: number,
  longitude: number,
) => string

/** Returns the IANA time zone at a position in degrees. */
export const zoneAt = (latitude: number, longitude: number): string => lookUp(latitude, longitude)
