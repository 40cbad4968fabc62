import type { FaultCode } from '../domain/fault.ts'
import type { Meter, Operation } from '../domain/operation.ts'

/** An operation and how often and at what cost the generated calls use it. */
interface Habit {
  readonly operation: Operation
  readonly share: number
  readonly meter: Meter
  /** Largest number of units of a call. */
  readonly units: number
  readonly durationUs: number
}

/** The operations that the generated calls use; the shares add up to 100. */
export const habits: readonly Habit[] = [
  { operation: 'getLocation', share: 44, meter: 'call', units: 1, durationUs: 320 },
  { operation: 'searchLocations', share: 22, meter: 'call', units: 1, durationUs: 2400 },
  { operation: 'nearbyLocations', share: 14, meter: 'call', units: 1, durationUs: 1900 },
  { operation: 'getLocations', share: 9, meter: 'entity', units: 40, durationUs: 900 },
  { operation: 'listReviews', share: 8, meter: 'call', units: 1, durationUs: 700 },
  { operation: 'searchRecommendations', share: 3, meter: 'call', units: 1, durationUs: 5200 },
]

/** A kind of failed call and how often it is generated. */
export interface Failure {
  readonly code: FaultCode
  readonly status: number
  readonly share: number
  readonly operation: Operation
  readonly fields?: readonly string[]
  readonly policies?: readonly string[]
  readonly refusedBy?: readonly string[]
  readonly retryAfterS?: number
}

/** The failures among 1,000 calls. */
export const failures: readonly Failure[] = [
  { code: 'location_unknown', status: 404, share: 14, operation: 'getLocation' },
  { code: 'parameters_invalid', status: 400, share: 6, operation: 'nearbyLocations', fields: ['radius'] },
  { code: 'forbidden', status: 403, share: 4, operation: 'searchRecommendations' },
  {
    code: 'rate_limited',
    status: 429,
    share: 9,
    operation: 'searchLocations',
    policies: ['"search";q=5;w=5'],
    refusedBy: ['search'],
    retryAfterS: 1,
  },
]
