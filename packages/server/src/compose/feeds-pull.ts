import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { FeedClient } from '../feeds/pull/client.ts'
import { type PullOptions, type PullReport, pullFeeds } from '../feeds/pull/pull.ts'
import { workFolder } from '../feeds/pull/result-state.ts'
import { systemClock } from '../kit/clock.ts'
import { holdLock } from '../store/folder/lock.ts'

export type PullWishes = Omit<PullOptions, 'client' | 'clock'> & { readonly url: URL; readonly key: string }

/** Pulls feeds into a folder; a second pull into the same folder is refused (LockHeld). */
export async function composePull({ url, key, ...wishes }: PullWishes): Promise<PullReport> {
  const { into, say } = wishes
  mkdirSync(workFolder(into), { recursive: true })
  const sentence = `Another pull into ${into} is running; wait until it has ended.`
  const lock = holdLock(join(workFolder(into), 'lock.sqlite'), sentence)
  try {
    const client = new FeedClient({ url, key, say, wait: (ms, signal) => delay(ms, undefined, signal && { signal }) })
    return await pullFeeds({ ...wishes, client, clock: systemClock })
  } finally {
    lock.release()
  }
}
