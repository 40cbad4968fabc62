import type { Logger } from '../kit/log.ts'
import { Threads } from '../kit/threads.ts'

/** Creates the threads of a service; an unexpected end of one is logged. */
export const createServiceThreads = (log: Logger): Threads =>
  new Threads(({ thread, error, failures, restartMs }) =>
    log.error(
      { thread, err: error, failures },
      `The ${thread} thread ended unexpectedly; it can restart in ${restartMs / 1000} s.`,
    ),
  )
