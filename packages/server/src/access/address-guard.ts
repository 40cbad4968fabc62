import ipaddr from 'ipaddr.js'
import { intervalOf, spend, waitOf } from './gcra.ts'
import { wholeSeconds } from './limit-headers.ts'

export interface AddressGuardSettings {
  /** Missing and bad keys per second and address. */
  readonly rate: number
  readonly burst: number
  /** Addresses remembered at most; the ones beyond share one bucket. */
  readonly addresses: number
}

export const addressGuardDefaults: AddressGuardSettings = { rate: 20, burst: 100, addresses: 50_000 }

const sweptPerNew = 4
const allOthers = '*'

/**
 * Slows down the guessing of keys: every missing or bad key spends one token of its address, a valid key never does
 * and is never refused by it. Bounded: when the table is full of drained addresses, new ones share one bucket, which
 * can only turn a 401 into a 429.
 */
export class AddressGuard {
  readonly #tats = new Map<string, number>()
  readonly #addresses: number
  readonly #burst: number
  readonly #intervalUs: number
  #hand = this.#tats.entries()

  constructor(settings: AddressGuardSettings = addressGuardDefaults) {
    this.#addresses = settings.addresses
    this.#burst = settings.burst
    this.#intervalUs = intervalOf(settings.rate)
  }

  /** Spends a token for a bad key. Gives the Retry-After in whole seconds when there was none left (429). */
  spend(address: string, nowUs: number): number | undefined {
    const block = blockOf(address)
    const known = this.#tats.get(block)
    if (known === undefined) this.#sweep(nowUs)
    const key = known !== undefined || this.#tats.size < this.#addresses ? block : allOthers
    const tatUs = this.#tats.get(key) ?? 0
    const waitUs = waitOf(tatUs, nowUs, this.#intervalUs, this.#burst)
    if (waitUs > 0) return wholeSeconds(waitUs)
    this.#tats.set(key, spend(tatUs, nowUs, this.#intervalUs))
    return undefined
  }

  get remembered(): number {
    return this.#tats.size
  }

  #sweep(nowUs: number): void {
    for (let i = 0; i < sweptPerNew; i++) {
      const at = this.#hand.next()
      if (at.done) {
        this.#hand = this.#tats.entries()
        return
      }
      if (at.value[1] <= nowUs) this.#tats.delete(at.value[0])
    }
  }
}

/**
 * The unit that is counted as one address: an IPv4 address, mapped into IPv6 or not, or the /64 of an IPv6 address, which
 * is what one line gets. A text that is not an address counts as it is.
 */
export function blockOf(address: string): string {
  if (!address.includes(':') || !ipaddr.IPv6.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  const prefix = parsed.parts.slice(0, 4).map(part => part.toString(16))
  return `${prefix.join(':')}::/64`
}
