import { setTimeout as delay } from 'node:timers/promises'
import { LockHeld, StoreError } from '../../domain/store-errors.ts'
import type { Locks } from '../../domain/stores.ts'
import { requestEnd, withdrawRequest } from '../folder/moved.ts'
import type { Held } from './move.ts'

/** Maximum wait for the end of services, and the interval between two looks, in milliseconds. */
export const [endWaitMs, endEveryMs] = [120_000, 50]

/** Asks the service of a folder to end, and takes its lock as soon as it has. Throws StoreError if it does not end. */
export async function endService(root: string, locks: Locks): Promise<Held> {
  requestEnd(root)
  try {
    const lock = await waitForService(root, locks)
    return {
      release: async () => {
        withdrawRequest(root)
        await lock.release()
      },
    }
  } catch (error) {
    withdrawRequest(root)
    throw error
  }
}

async function waitForService(root: string, locks: Locks): Promise<Held> {
  const message = `The service of ${root} has not ended. Stop it, and run the command again.`
  for (const untilMs = performance.now() + endWaitMs; ; await delay(endEveryMs)) {
    try {
      return await locks.hold('serve', message)
    } catch (error) {
      if (!(error instanceof LockHeld)) throw error
      if (performance.now() >= untilMs) throw new StoreError(message)
    }
  }
}
