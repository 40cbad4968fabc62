import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describeReplacedFile, LockHeld } from '../domain/store-errors.ts'
import { FeedClient } from '../feeds/pull/client.ts'
import { Mismatch, PullFailed } from '../feeds/pull/outcome.ts'
import { describeDiskError, type PullOptions, pullFeeds } from '../feeds/pull/pull.ts'
import type { PullReport } from '../feeds/pull/report.ts'
import { workFolder } from '../feeds/pull/result-state.ts'
import type { Wait } from '../feeds/pull/retry-policy.ts'
import { parsePublicKey } from '../feeds/pull/signing-key.ts'
import { systemClock } from '../kit/clock.ts'
import { holdLock } from '../store/folder/lock.ts'

export type { PullReport }

/** Options of a pull, with the URL of the service and an API key. */
export type PullRequest = Omit<PullOptions, 'client' | 'clock'> & { readonly url: URL; readonly key: string }

/** A failed pull. */
export interface PullFailure {
  /** User-facing reason. */
  readonly failure: string
  /** True if the received data does not match its manifest. */
  readonly mismatch: boolean
}

const waitFor: Wait = (ms, signal) => delay(ms, undefined, signal && { signal })

/** Pulls feeds into a folder; a concurrent pull into the same folder fails. */
export async function composePull(
  { url, key, ...request }: PullRequest,
  wait: Wait = waitFor,
): Promise<PullReport | PullFailure> {
  const { into, say } = request
  try {
    mkdirSync(workFolder(into), { recursive: true })
    const message = `Another pull into ${into} is running. Wait until it has ended.`
    const lock = holdLock(join(workFolder(into), 'lock.sqlite'), message)
    if (lock.replaced) say(describeReplacedFile(lock.replaced))
    try {
      const client = new FeedClient({ url, key, say, wait })
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

/** Returns true if `pem` is an Ed25519 public key. */
export const isPublicKey = (pem: string): boolean => parsePublicKey(pem) !== undefined
