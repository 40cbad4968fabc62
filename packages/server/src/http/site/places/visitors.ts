import { TokenBuckets } from '../../../access/token-buckets.ts'
import { toAddressBlock } from '../../../kit/address-block.ts'
import type { Clock } from '../../../kit/clock.ts'

/** Pages a second and at once for each visitor. */
const perVisitor = { rate: 5, burst: 20, maxHolders: 100_000 }
/** Searches a second and at once for all visitors together. */
const inAll = { rate: 50, burst: 50, maxHolders: 1 }

/** Limits the pages that visitors without a key open. */
export interface VisitorLimits {
  /** Counts a page of a visitor. Returns Retry-After in seconds if it is refused. */
  admit(address: string, isSearch: boolean): number | undefined
}

/**
 * Creates the limits of all visitors; the /64 of an IPv6 address is one visitor. A refused page is not counted as a
 * search.
 */
export function createVisitorLimits(clock: Pick<Clock, 'monotonicUs'>): VisitorLimits {
  const visitors = new TokenBuckets(perVisitor)
  const searches = new TokenBuckets(inAll)
  return {
    admit: (address, isSearch) => {
      const nowUs = clock.monotonicUs()
      return visitors.spend(toAddressBlock(address), nowUs) ?? (isSearch ? searches.spend('', nowUs) : undefined)
    },
  }
}
