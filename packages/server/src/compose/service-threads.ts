import type { Logger } from '../kit/log.ts'
import { Threads } from '../kit/threads.ts'

/** Creates the thread registry of a service; it logs each thread that ends unexpectedly. */
export const createServiceThreads = (log: Logger): Threads =>
  new Threads(({ thread, error, failures, restartMs }) =>
    log.error(
      { thread, err: error, failures },
      `The ${thread} thread ended unexpectedly; it can restart in ${restartMs / 1000} s.`,
    ),
  )
