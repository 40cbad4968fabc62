import { formatRate } from '../domain/limit-words.ts'
import { toAddressBlock } from '../kit/address-block.ts'
import { type Buckets, TokenBuckets } from './token-buckets.ts'

export interface AddressGuardSettings {
  /** Requests with a missing or bad key, per second and address. */
  readonly rate: number
  readonly burst: number
  /** Maximum number of addresses with a bucket; all additional addresses share one bucket. */
  readonly maxAddresses: number
}

export const addressGuardDefaults: AddressGuardSettings = { rate: 20, burst: 100, maxAddresses: 50_000 }

/**
 * Slows down attempts to guess keys: each request with a missing or bad key spends one token of its address. Requests
 * with a valid key spend nothing and are never refused. When the table is full of addresses that are not idle, new
 * addresses share one bucket, which at worst turns a 401 into a 429.
 */
export class AddressGuard {
  readonly #buckets: Buckets
  /** The limit in words, for problem documents. */
  readonly limitText: string

  /** `buckets`: by default those of the calling thread. */
  constructor({ rate, burst, maxAddresses }: AddressGuardSettings = addressGuardDefaults, buckets?: Buckets) {
    this.#buckets = buckets ?? new TokenBuckets({ rate, burst, maxHolders: maxAddresses })
    this.limitText = formatRate(rate, burst, ['request', 'requests'])
  }

  /** Spends a token for a bad key. Returns Retry-After in whole seconds if no token is left (429). */
  spend(address: string, nowUs: number): number | undefined {
    return this.#buckets.spend(toAddressBlock(address), nowUs)
  }

  /** Number of addresses with a bucket. */
  get size(): number {
    return this.#buckets.size
  }
}
