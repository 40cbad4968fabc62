import type { AddressGuard } from '../access/address-guard.ts'
import type { Timeline } from '../access/timeline.ts'
import { type Fault, fault } from '../domain/fault.ts'
import type { Clock } from '../kit/clock.ts'
import type { LimitCounters } from './call-recorder.ts'

/** Limits requests with a missing or bad key by the address of the client. */
export interface BadKeyLimits {
  /** Counts such a request; returns 429 if the address has sent too many. */
  count(address: string): Fault | undefined
}

/** Creates bad-key limits for this process; each node of a cluster counts separately. */
export const createBadKeyLimits = (
  guard: AddressGuard,
  timeline: Timeline,
  clock: Clock,
  counters: Pick<LimitCounters, 'countRefusal'>,
): BadKeyLimits => ({
  count: address => {
    const retryAfterS = guard.spend(address, timeline.at(clock.monotonicUs()))
    if (retryAfterS === undefined) return undefined
    counters.countRefusal(['address'])
    return fault('address_limited', {
      detail: `Without a valid API key, one address may send ${guard.limitText}. Wait ${retryAfterS} s and send a valid key.`,
      headers: { 'Retry-After': String(retryAfterS) },
    })
  },
})
