import { type Logger, pino } from 'pino'

export type { Logger }

/** Severity from which lines are written. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

/** The process log, and a way past it for lines that are made already. */
export interface Log {
  readonly log: Logger
  /** Writes a line of JSON as it is, with its line end; nothing where the level leaves out `info`. */
  readonly line: (json: string) => void
  /** To be called before the process ends. */
  readonly flush: () => void
}

/**
 * JSON lines on stderr, gathered for up to 64 KB or 200 ms so that a line costs no system call of its own.
 */
export function createLog(level: LogLevel): Log {
  const destination = pino.destination({ dest: 2, sync: false, minLength: 65_536, maxWrite: 131_072, periodicFlush: 200 })
  const log = pino({ level, base: null, timestamp: () => `,"time":${Date.now()}` }, destination)
  // A destination that is not open yet throws on flushSync; there is nothing to flush then.
  const flush = () => {
    try {
      destination.flushSync()
    } catch {}
  }
  return { log, line: log.isLevelEnabled('info') ? json => destination.write(json) : () => {}, flush }
}
