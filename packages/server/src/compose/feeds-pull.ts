import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { LockHeld } from '../domain/store-errors.ts'
import { FeedClient } from '../feeds/pull/client.ts'
import { Mismatch, PullFailed } from '../feeds/pull/outcome.ts'
import { describeDiskError, type PullOptions, type PullReport, pullFeeds } from '../feeds/pull/pull.ts'
import { workFolder } from '../feeds/pull/result-state.ts'
import { parsePublicKey } from '../feeds/pull/signing-key.ts'
import { systemClock } from '../kit/clock.ts'
import { holdLock } from '../store/folder/lock.ts'

export type { PullReport }

/** The service, its key, and what to pull into which folder. */
export type PullRequest = Omit<PullOptions, 'client' | 'clock'> & { readonly url: URL; readonly key: string }

/** The sentence that explains why nothing was pulled. */
export interface PullFailure {
  readonly failure: string
  /** True when the received data is not what the manifest says. */
  readonly mismatch: boolean
}

/** Pulls feeds into a folder; a second pull into the same folder fails. */
export async function composePull({ url, key, ...request }: PullRequest): Promise<PullReport | PullFailure> {
  const { into, say } = request
  try {
    mkdirSync(workFolder(into), { recursive: true })
    const sentence = `Another pull into ${into} is running; wait until it has ended.`
    const lock = holdLock(join(workFolder(into), 'lock.sqlite'), sentence)
    try {
      const client = new FeedClient({ url, key, say, wait: (ms, signal) => delay(ms, undefined, signal && { signal }) })
      return await pullFeeds({ ...request, client, clock: systemClock })
    } finally {
      lock.release()
    }
  } catch (error) {
    if (error instanceof Mismatch) return { failure: error.message, mismatch: true }
    if (error instanceof LockHeld || error instanceof PullFailed) return { failure: error.message, mismatch: false }
    return { failure: describeDiskError(error, into), mismatch: false }
  }
}

/** Returns true for an Ed25519 public key in PEM. */
export const isPublicKey = (pem: string): boolean => parsePublicKey(pem) !== undefined
