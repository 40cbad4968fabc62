import type { Key } from '../domain/key.ts'
import { followedWithinMs, type KeyAdmin } from '../domain/key-stores.ts'
import type { FoldedState } from '../domain/ledger.ts'
import { getSubject } from '../domain/limit-subject.ts'
import type { Membership } from '../domain/membership.ts'
import { everything } from '../domain/visibility.ts'

/**
 * The penalties that operators have forgiven. States of the ledger may have them until the next call of their subject,
 * and an epoch starts from these states.
 */
export class ForgivenSeeds {
  readonly #keys: KeyAdmin
  /** Time up to which strikes are forgiven, in microseconds since 1970, by subject. */
  readonly #untilUs = new Map<string, number>()

  constructor(keys: KeyAdmin) {
    this.#keys = keys
  }

  /** Reads all forgiven penalties. Returns the number of the last one. */
  async load(): Promise<number> {
    const forgiven = await this.#keys.forgivenPenalties(0)
    for (const { keyId, atMs } of forgiven) {
      const key = await this.#keys.key(keyId, everything)
      if (key) this.add(key, atMs)
    }
    return forgiven.at(-1)?.number ?? 0
  }

  add(key: Key, atMs: number): void {
    this.#untilUs.set(getSubject(key), (atMs + followedWithinMs) * 1000)
  }

  /** Returns a reader of states without the forgiven penalties. */
  removeFrom(readSeeds: Membership['seeds']): Membership['seeds'] {
    return async subjects => {
      const seeds = await readSeeds(subjects)
      return new Map([...seeds].map(([subject, states]) => [subject, states.map(state => this.#withoutPenalty(state))]))
    }
  }

  #withoutPenalty(state: FoldedState): FoldedState {
    const { penalty, subject } = state
    const untilUs = this.#untilUs.get(subject) ?? 0
    const isForgiven = penalty && Math.max(penalty.firstRefusalUs, penalty.struckUs) <= untilUs
    return isForgiven ? { ...state, penalty: undefined } : state
  }
}
