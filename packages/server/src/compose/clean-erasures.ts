import type { Upkeep } from '../domain/stores.ts'

export interface ErasureCleaning {
  readonly upkeep: Upkeep
  readonly onError: (error: unknown) => void
  readonly everyMs?: number
}

/** Checks every minute whether an erasure has left something to clean up, and does it. */
export function cleanErasures({ upkeep, onError, everyMs = 60_000 }: ErasureCleaning): { stop(): Promise<void> } {
  let running: Promise<void> | undefined
  const check = async () => {
    if ((await upkeep.pendingCleanups()).length > 0) await upkeep.cleanUp()
  }
  const start = () => {
    running ??= check()
      .catch(onError)
      .finally(() => {
        running = undefined
      })
  }
  start()
  const timer = setInterval(start, everyMs)
  return {
    stop: async () => {
      clearInterval(timer)
      await running
    },
  }
}
