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

/** Takes keys out of a text, whatever they have got into: an error's words, a path, a header. */
export const withoutSecrets = (text: string): string => text.replace(secrets, 'peri_$1_***')

/** Keys by their form. */
const secrets = /peri_(live|test)_[0-9A-Za-z]+/g

const gatheredChars = 65_536
const flushEveryMs = 200

/**
 * JSON lines on stderr. Lines that are made already are gathered for up to 64 KB or 200 ms before the destination sees
 * them: it measures all that it holds again with every write, which would cost more than the line itself.
 */
export function createLog(level: LogLevel): Log {
  const destination = pino.destination({ dest: 2, sync: false })
  const hooks = { streamWrite: withoutSecrets }
  const log = pino({ level, base: null, timestamp: () => `,"time":${Date.now()}`, hooks }, destination)
  let gathered = ''
  const pass = () => {
    if (gathered === '') return
    destination.write(gathered)
    gathered = ''
  }
  const gather = (json: string) => {
    if (gathered === '') setTimeout(pass, flushEveryMs).unref()
    gathered += json
    if (gathered.length >= gatheredChars) pass()
  }
  const flush = () => {
    // flushSync throws while the destination is not open; there is nothing to flush then.
    try {
      destination.flushSync()
    } catch {}
    if (gathered === '') return
    // While the process exits, the destination would start an asynchronous write that never completes.
    pino.destination({ dest: 2, sync: true }).write(gathered)
    gathered = ''
  }
  return { log, line: log.isLevelEnabled('info') ? gather : () => {}, flush }
}
