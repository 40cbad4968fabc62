import ipaddr from 'ipaddr.js'
import { computeWaitUs, spend, toIntervalUs } from './gcra.ts'
import { ceilSeconds } from './limit-headers.ts'
import { formatRate } from './limit-words.ts'

export interface AddressGuardSettings {
  /** Requests with a missing or bad key, per second and address. */
  readonly rate: number
  readonly burst: number
  /** Maximum number of addresses with a bucket; all additional addresses share one bucket. */
  readonly maxAddresses: number
}

export const addressGuardDefaults: AddressGuardSettings = { rate: 20, burst: 100, maxAddresses: 50_000 }

const sweptPerNew = 4
/** Key of the bucket that addresses share when the table is full. */
const sharedBucket = '*'

/**
 * Slows down attempts to guess keys: each request with a missing or bad key spends one token of its address. Requests
 * with a valid key spend nothing and are never refused. Memory is bounded: when the table is full of addresses that are
 * not idle, new addresses share one bucket, which at worst turns a 401 into a 429.
 */
export class AddressGuard {
  readonly #tats = new Map<string, number>()
  readonly #maxAddresses: number
  readonly #burst: number
  readonly #intervalUs: number
  /** The limit in words, for problem documents. */
  readonly limitText: string
  #sweepCursor = this.#tats.entries()

  constructor(settings: AddressGuardSettings = addressGuardDefaults) {
    this.#maxAddresses = settings.maxAddresses
    this.#burst = settings.burst
    this.#intervalUs = toIntervalUs(settings.rate)
    this.limitText = formatRate(settings.rate, settings.burst, ['request', 'requests'])
  }

  /** Spends a token for a bad key. Returns Retry-After in whole seconds if no token is left (429). */
  spend(address: string, nowUs: number): number | undefined {
    const block = toAddressBlock(address)
    const known = this.#tats.get(block)
    if (known === undefined) this.#sweep(nowUs)
    const key = known !== undefined || this.#tats.size < this.#maxAddresses ? block : sharedBucket
    const tatUs = this.#tats.get(key) ?? 0
    const waitUs = computeWaitUs(tatUs, nowUs, this.#intervalUs, this.#burst)
    if (waitUs > 0) return ceilSeconds(waitUs)
    this.#tats.set(key, spend(tatUs, nowUs, this.#intervalUs))
    return undefined
  }

  /** Number of addresses with a bucket. */
  get size(): number {
    return this.#tats.size
  }

  /** Removes idle addresses, a few for each new one, so that no timer is needed. */
  #sweep(nowUs: number): void {
    for (let i = 0; i < sweptPerNew; i++) {
      const at = this.#sweepCursor.next()
      if (at.done) {
        this.#sweepCursor = this.#tats.entries()
        return
      }
      if (at.value[1] <= nowUs) this.#tats.delete(at.value[0])
    }
  }
}

/**
 * Returns the block that counts as one address: an IPv4 address, also if it is mapped into IPv6, or the /64 of an IPv6
 * address, because providers assign at least a /64 to each connection. Other text is returned unchanged.
 */
export function toAddressBlock(address: string): string {
  if (!address.includes(':') || !ipaddr.IPv6.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  const prefix = parsed.parts.slice(0, 4).map(part => part.toString(16))
  return `${prefix.join(':')}::/64`
}
