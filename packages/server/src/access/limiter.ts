import type { Fault } from '../domain/fault.ts'
import type { Key } from '../domain/key.ts'
import type { Grant } from './grant.ts'

/** A call that was let in; charged once its units are known. */
export interface Admission {
  /** Takes the units, all or nothing; a fault (429) when they no longer fit. Idempotent by request id. */
  charge(requestId: string, units: number): Fault | undefined
  /** The limit headers that tell the state after this call. */
  headers(): Readonly<Record<string, string>>
}

/** Decides whether a call of a key may go on now. */
export interface Limiter {
  admit(key: Key, grant: Grant, bucket: 'package' | 'search' | 'feeds'): Admission | Fault
}

/** Lets everything in and counts nothing. */
export const unlimited: Limiter = {
  admit: () => ({ charge: () => undefined, headers: () => ({}) }),
}
