import { type Logger, pino } from 'pino'

export type { Logger }

/** Severity from which lines are written. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

/**
 * The process log: JSON lines on stderr, gathered for up to 4 KB or 200 ms so that a line costs no system call of
 * its own. `flush` before the process ends.
 */
export function createLog(level: LogLevel): { log: Logger; flush: () => void } {
  const destination = pino.destination({ dest: 2, sync: false, minLength: 4096, periodicFlush: 200 })
  const log = pino({ level, base: null, timestamp: () => `,"time":${Date.now()}` }, destination)
  // A destination that is not open yet throws on flushSync; there is nothing to flush then.
  const flush = () => {
    try {
      destination.flushSync()
    } catch {}
  }
  return { log, flush }
}
