import type { Limits } from '../access/limits.ts'
import type { Key } from '../domain/key.ts'
import { followedWithinMs, type KeyAdmin } from '../domain/key-stores.ts'
import type { Engine } from '../domain/stores.ts'
import { everything } from '../domain/visibility.ts'
import type { Logger } from '../kit/log.ts'

/** Ends the restored penalties that were forgiven. Returns the number of the last one. */
export async function applyForgivenPenalties(keys: KeyAdmin, limits: Limits): Promise<number> {
  const forgiven = await keys.forgivenPenalties(0)
  for (const { keyId, atMs } of forgiven) {
    const key = await keys.key(keyId, everything)
    if (key) limits.forgive(key, (atMs + followedWithinMs) * 1000)
  }
  return forgiven.at(-1)?.number ?? 0
}

interface FollowOptions {
  /** Ends the penalty of a key's subject; a failure is repeated. */
  readonly forgive: (key: Key, atMs: number) => void | Promise<void>
  /** Number of the last forgiven penalty that is applied. */
  readonly last: number
  readonly log: Logger
}

/** Ends the penalties that other processes forgive. */
export function followForgivenPenalties(
  engine: Pick<Engine, 'keys' | 'watch'>,
  { forgive, last, log }: FollowOptions,
): { close(): Promise<void> } {
  let applied = last
  const watch = engine.watch('keys', {
    changed: async () => {
      for (const { number, keyId, atMs } of await engine.keys.forgivenPenalties(applied)) {
        const key = await engine.keys.key(keyId, everything)
        if (key) await forgive(key, atMs)
        applied = number
      }
    },
    failed: error => log.warn({ err: error }, 'Could not read forgiven penalties; will retry.'),
  })
  return { close: () => watch.stop() }
}
