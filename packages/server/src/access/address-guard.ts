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

/** What counts as one address: an IPv4 address, mapped into IPv6 or not; of IPv6 the /64, which one line gets whole. */
export function blockOf(address: string): string {
  if (!address.includes(':')) return address
  const bare = address.split('%', 1)[0]!.toLowerCase()
  const mapped = /^(?:0*:){2,5}(?:0*:)?:?ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(bare)
  if (mapped) return mapped[1]!
  const [head = '', tail] = bare.split('::', 2)
  const front = head === '' ? [] : head.split(':')
  const back = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0')
  const groups = [...front, ...zeros, ...back].slice(0, 4)
  return `${groups.map(group => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
