import { type Logger, pino } from 'pino'
import { maskSecrets } from './mask-secrets.ts'
import { RecentWarnings } from './recent-warnings.ts'

export type { Logger }

/** Minimum severity that is logged. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

/** The log of the process. */
export interface Log {
  readonly log: Logger
  /** Logs a JSON line, which must end with a line feed; does nothing if the level excludes `info`. */
  readonly line: (json: string) => void
  /** The latest warnings that were logged. */
  readonly recent: RecentWarnings
  /** Writes the buffered lines. Call it before the process ends. */
  readonly flush: () => void
}

const bufferChars = 65_536
const flushEveryMs = 200

/**
 * Creates a log that writes JSON lines to stderr. `line` buffers up to 64 KB or 200 ms, because each write to the
 * destination measures its entire buffer, which would cost more than the line itself.
 */
export function createLog(level: LogLevel): Log {
  const destination = pino.destination({ dest: 2, sync: false })
  const recent = new RecentWarnings()
  const streamWrite = (line: string): string => {
    const masked = maskSecrets(line)
    recent.add(masked)
    return masked
  }
  const hooks = { streamWrite }
  const log = pino({ level, base: null, timestamp: () => `,"time":${Date.now()}`, hooks }, destination)
  let buffer = ''
  const writeBuffer = () => {
    if (buffer === '') return
    destination.write(buffer)
    buffer = ''
  }
  const append = (json: string) => {
    if (buffer === '') setTimeout(writeBuffer, flushEveryMs).unref()
    buffer += json
    if (buffer.length >= bufferChars) writeBuffer()
  }
  const flush = () => {
    // flushSync throws while the destination is not open; nothing needs a flush then.
    try {
      destination.flushSync()
    } catch {}
    if (buffer === '') return
    // While the process exits, the destination would start an asynchronous write that never completes.
    pino.destination({ dest: 2, sync: true }).write(buffer)
    buffer = ''
  }
  return { log, recent, line: log.isLevelEnabled('info') ? append : () => {}, flush }
}
