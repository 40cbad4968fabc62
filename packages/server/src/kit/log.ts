import { type Logger, type LoggerOptions, pino } from 'pino'
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
  /** Writes complete lines that another thread has logged; encoded lines are never warnings. */
  readonly write: (lines: string | Uint8Array) => void
  /** The latest warnings that were logged. */
  readonly recent: RecentWarnings
  /** Writes the buffered lines. Call it before the process ends. */
  readonly flush: () => void
}

/**
 * Creates a log that writes JSON lines to stderr. `line` collects encoded lines: joining them as texts first, and
 * encoding the whole, takes several times as long as formatting a line. Lines about errors for which `isReported`
 * returns true are skipped.
 */
export function createLog(level: LogLevel, isReported: IsReported = () => false): Log {
  const destination = pino.destination({ dest: 2, sync: false, contentMode: 'buffer' })
  // The types of pino do not know the content mode.
  const writeBytes = (bytes: Buffer) => void destination.write(bytes as unknown as string)
  const recent = new RecentWarnings()
  const streamWrite = (line: string): string => {
    const masked = maskSecrets(line)
    recent.add(masked)
    return masked
  }
  const log = pino(
    { ...pinoOptions(level), hooks: { streamWrite, logMethod: skipReported(isReported) } },
    { write: line => writeBytes(Buffer.from(line)) },
  )
  const lines = new LineBuffer(writeBytes)
  const flush = () => {
    // flushSync throws while the destination is not open; nothing needs a flush then.
    try {
      destination.flushSync()
    } catch {}
    const rest = lines.take()
    // While the process exits, the destination would start an asynchronous write that never completes.
    if (rest.length > 0) pino.destination({ dest: 2, sync: true }).write(rest.toString())
  }
  const write = (lines: string | Uint8Array) => {
    writeBytes(Buffer.from(lines))
    if (typeof lines === 'string') recent.add(lines)
  }
  return { log, recent, write, line: log.isLevelEnabled('info') ? json => lines.add(json) : () => {}, flush }
}

/**
 * Creates the log of a thread, whose lines another thread writes; `flush` passes on the buffered ones. Lines of requests
 * are passed on as they are encoded: as texts they would be encoded again.
 */
export function createThreadLog(
  level: LogLevel,
  write: Log['write'],
  isReported: IsReported,
): Pick<Log, 'log' | 'line' | 'flush'> {
  const hooks = { streamWrite: maskSecrets, logMethod: skipReported(isReported) }
  const log = pino({ ...pinoOptions(level), hooks }, { write })
  const lines = new LineBuffer(write)
  return { log, line: log.isLevelEnabled('info') ? json => lines.add(json) : () => {}, flush: () => lines.flush() }
}

/** Returns true for an error that is not logged, because a line about its cause is. */
export type IsReported = (error: unknown) => boolean

type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>

/** Returns the hook that skips lines about an error that is reported in another way. */
const skipReported = (isReported: IsReported): LogMethod =>
  function (args, method) {
    const { err } = Object(args[0]) as { readonly err?: unknown }
    if (err === undefined || !isReported(err)) method.apply(this, args)
  }

const pinoOptions = (level: LogLevel) => ({ level, base: null, timestamp: () => `,"time":${Date.now()}` })

const bufferBytes = 65_536
const flushEveryMs = 200
/** Maximum number of bytes of a UTF-16 code unit in UTF-8. */
const maxBytesPerUnit = 3

/** Collects encoded lines for up to 200 ms or 64 KB. */
class LineBuffer {
  readonly #write: (bytes: Buffer) => void
  #buffer = Buffer.allocUnsafeSlow(bufferBytes)
  #used = 0

  constructor(write: (bytes: Buffer) => void) {
    this.#write = write
  }

  add(line: string): void {
    const most = line.length * maxBytesPerUnit
    if (this.#used + most > bufferBytes) this.flush()
    if (most > bufferBytes) {
      this.#write(Buffer.from(line))
      return
    }
    if (this.#used === 0) setTimeout(() => this.flush(), flushEveryMs).unref()
    this.#used += this.#buffer.write(line, this.#used)
  }

  flush(): void {
    const bytes = this.take()
    if (bytes.length > 0) this.#write(bytes)
  }

  /** Returns the collected lines, and forgets them. */
  take(): Buffer {
    const bytes = this.#buffer.subarray(0, this.#used)
    // The bytes may be written later.
    if (this.#used > 0) this.#buffer = Buffer.allocUnsafeSlow(bufferBytes)
    this.#used = 0
    return bytes
  }
}
