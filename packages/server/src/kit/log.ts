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
  /** Writes complete lines that another thread has logged. */
  readonly write: (lines: string) => void
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
  const log = pino({ ...pinoOptions(level), hooks }, destination)
  const lines = new LineBuffer(text => destination.write(text))
  const flush = () => {
    // flushSync throws while the destination is not open; nothing needs a flush then.
    try {
      destination.flushSync()
    } catch {}
    const rest = lines.take()
    // While the process exits, the destination would start an asynchronous write that never completes.
    if (rest !== '') pino.destination({ dest: 2, sync: true }).write(rest)
  }
  const write = (text: string) => {
    destination.write(text)
    recent.add(text)
  }
  return { log, recent, write, line: log.isLevelEnabled('info') ? json => lines.add(json) : () => {}, flush }
}

/** Creates the log of a thread, whose lines another thread writes; `flush` passes on the buffered ones. */
export function createThreadLog(level: LogLevel, write: (lines: string) => void): Pick<Log, 'log' | 'line' | 'flush'> {
  const log = pino({ ...pinoOptions(level), hooks: { streamWrite: maskSecrets } }, { write })
  const lines = new LineBuffer(write)
  return { log, line: log.isLevelEnabled('info') ? json => lines.add(json) : () => {}, flush: () => lines.flush() }
}

const pinoOptions = (level: LogLevel) => ({ level, base: null, timestamp: () => `,"time":${Date.now()}` })

/** Collects lines for up to 200 ms or 64 KB. */
class LineBuffer {
  readonly #write: (text: string) => void
  #text = ''

  constructor(write: (text: string) => void) {
    this.#write = write
  }

  add(line: string): void {
    if (this.#text === '') setTimeout(() => this.flush(), flushEveryMs).unref()
    this.#text += line
    if (this.#text.length >= bufferChars) this.flush()
  }

  flush(): void {
    const text = this.take()
    if (text !== '') this.#write(text)
  }

  /** Returns the collected lines, and forgets them. */
  take(): string {
    const text = this.#text
    this.#text = ''
    return text
  }
}
