import type { Config } from '../config/load.ts'
import type { AddressPolicy } from '../delivery/post.ts'
import type { ReplacedFile } from '../domain/store-errors.ts'
import type { EngineDescriptor } from '../domain/stores.ts'
import type { Thread } from '../kit/thread.ts'
import { threadEntry } from '../kit/thread-entry.ts'
import type { Threads } from '../kit/threads.ts'

/** Data of the delivery thread. */
export interface DeliveryTask {
  readonly engine: EngineDescriptor
  readonly config: Config
  readonly policy: AddressPolicy
  /** False in demos, which send no mail. */
  readonly sendsMail: boolean
}

/** An event of the delivery thread, which retries after an error. */
export type DeliveryThreadEvent = { readonly error: Error } | { readonly replaced: ReplacedFile }

/** Maximum wait for the end of the thread, in milliseconds; it does not wait for slow receivers. */
const stopWithinMs = 5000

/** Starts the thread that makes location events and sends events to webhooks. */
export const startDeliveryThread = (
  threads: Threads,
  task: DeliveryTask,
  onEvent: (event: DeliveryThreadEvent) => void,
): Thread<never, never, DeliveryThreadEvent> =>
  threads.create<never, never, DeliveryThreadEvent>({
    name: 'delivery',
    entry: threadEntry('../threads/delivery', import.meta.url),
    data: task,
    running: 'always',
    stopWithinMs,
    onEvent,
  })
