import { type Buckets, TokenBuckets } from '../../../access/token-buckets.ts'
import { toAddressBlock } from '../../../kit/address-block.ts'
import type { Clock } from '../../../kit/clock.ts'

/** Pages a second and at once for each visitor. */
export const perVisitor = { rate: 5, burst: 20, maxHolders: 100_000 }
/** Searches a second and at once for all visitors together. */
export const inAll = { rate: 50, burst: 50, maxHolders: 1 }

/** The token buckets of visitors. */
export interface VisitorBuckets {
  /** By network address. */
  readonly visitors: Buckets
  /** One bucket. */
  readonly searches: Buckets
}

/** Limits the pages that visitors without a key open. */
export interface VisitorLimits {
  /** Counts a page of a visitor. Returns Retry-After in seconds if it is refused. */
  admit(address: string, isSearch: boolean): number | undefined
}

/**
 * Creates the limits of all visitors; the /64 of an IPv6 address is one visitor. A refused page is not counted as a
 * search.
 */
export function createVisitorLimits(
  clock: Pick<Clock, 'monotonicUs'>,
  { visitors, searches }: VisitorBuckets = {
    visitors: new TokenBuckets(perVisitor),
    searches: new TokenBuckets(inAll),
  },
): VisitorLimits {
  return {
    admit: (address, isSearch) => {
      const nowUs = clock.monotonicUs()
      return visitors.spend(toAddressBlock(address), nowUs) ?? (isSearch ? searches.spend('', nowUs) : undefined)
    },
  }
}
