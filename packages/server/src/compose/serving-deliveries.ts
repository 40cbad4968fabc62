import type { Config } from '../config/load.ts'
import type { Engine } from '../domain/stores.ts'
import type { Logger } from '../kit/log.ts'
import type { Threads } from '../kit/threads.ts'
import { startDeliveryThread } from './delivery-thread.ts'
import { logReplacedFile } from './serving-folder.ts'
import { getAddressPolicy } from './webhooks.ts'

/** Dependencies of the deliveries of a service. */
export interface DeliveryOptions {
  readonly engine: Engine
  readonly threads: Threads
  readonly log: Logger
  readonly isDemo: boolean
  /** Called after each error; the thread retries. */
  readonly onFailure?: () => void
}

/** Creates the deliveries of a service. `start` starts their thread; only the first call has an effect. */
export function createDeliveries(
  config: Config,
  { engine, threads, log, isDemo, onFailure }: DeliveryOptions,
): { start(): void; close(): Promise<void> } {
  let thread: ReturnType<typeof startDeliveryThread> | undefined
  let isClosed = false
  return {
    start: () => {
      if (thread || isClosed) return
      const policy = getAddressPolicy(config, isDemo)
      const task = { engine: engine.descriptor, config, policy, sendsMail: !isDemo }
      thread = startDeliveryThread(threads, task, event => {
        if ('replaced' in event) logReplacedFile(log, event.replaced)
        else {
          log.warn({ err: event.error }, 'Could not deliver events; will retry.')
          onFailure?.()
        }
      })
    },
    close: async () => {
      isClosed = true
      await thread?.stop()
    },
  }
}
