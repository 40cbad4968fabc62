import { LRUCache } from 'lru-cache'
import { toAddressBlock } from '../kit/address-block.ts'
import { hourMs } from '../kit/time.ts'

/** Failures before an account has to wait. */
const freeFailures = 5
const firstWaitMs = 2000
const maxWaitMs = 15 * 60_000
/** Time after the last failure after which failures are forgotten, in milliseconds. */
const forgetMs = 24 * hourMs

/**
 * Slows down attempts to guess the secret of an account: per account and address together (IPv6: its /64), so that
 * nobody locks out others. An attempt counts as failed until it succeeds, so that parallel attempts cannot exceed the
 * bound.
 */
export interface Throttle {
  /** Starts an attempt; returns the wait in milliseconds if it must not be made yet, 0 otherwise. */
  start(account: string, address: string): number
  /** Forgets the failures of an account from an address. */
  succeeded(account: string, address: string): void
}

interface Failures {
  readonly count: number
  readonly lastMs: number
  /** Time before which no attempt is made. */
  readonly untilMs: number
}

const noFailures: Failures = { count: 0, lastMs: 0, untilMs: 0 }

/** Creates a throttle that remembers up to `size` pairs of account and address. */
export function createThrottle(nowMs: () => number, size = 50_000): Throttle {
  // Its arrays take 10 ms, and commands and serving threads never need them.
  let cache: LRUCache<string, Failures> | undefined
  const failures = (): LRUCache<string, Failures> => {
    cache ??= new LRUCache({ max: size })
    return cache
  }
  const keyOf = (account: string, address: string) => `${toAddressBlock(address)} ${account.toLowerCase()}`
  return {
    start: (account, address) => {
      const key = keyOf(account, address)
      const now = nowMs()
      const known = failures().get(key)
      const { count, untilMs } = known && now - known.lastMs < forgetMs ? known : noFailures
      if (now < untilMs) return untilMs - now
      failures().set(key, { count: count + 1, lastMs: now, untilMs: now + waitAfter(count + 1) })
      return 0
    },
    succeeded: (account, address) => void cache?.delete(keyOf(account, address)),
  }
}

/** Returns the wait after a number of failures, in milliseconds. */
export const waitAfter = (count: number): number =>
  count < freeFailures ? 0 : Math.min(maxWaitMs, firstWaitMs * 2 ** Math.min(30, count - freeFailures))
