import type { JournalCall } from './journal-call.ts'
import type { RefusalHour, RefusalPage, RefusalQuery } from './refusal-hours.ts'
import type { Visibility } from './visibility.ts'

/** Reads the request log: calls of the last days and refusals before metering. Billing never reads it. */
export interface RequestLog {
  /** Returns one page of calls, newest first. */
  list(query: CallQuery): Promise<CallPage>
  /** Returns a call by its request id; undefined if it is unknown or not visible. */
  find(requestId: string, visibility: Visibility): Promise<LoggedCall | undefined>
  /**
   * Returns one page of refused calls that are in no usage record, summed by key, hour, code and version, newest hour
   * first.
   */
  refusals(query: RefusalQuery): Promise<RefusalPage>
  /** Returns the second with the most admitted calls of each subject and bucket that has any. */
  peakRates(query: PeakRateQuery): Promise<readonly PeakRate[]>
  /** Returns the time up to which the log has every call, in milliseconds since 1970; undefined before the first. */
  countedToMs(): Promise<number | undefined>
}

/** Filters of a list of calls. Times are milliseconds since 1970; `toMs` is exclusive. */
export interface CallQuery {
  readonly visibility: Visibility
  readonly keyId?: string | undefined
  /** One status, or a range whose end is included. */
  readonly status?: number | undefined
  readonly statusFrom?: number | undefined
  readonly statusTo?: number | undefined
  readonly operation?: string | undefined
  /** A fault code (domain/fault.ts). */
  readonly fault?: string | undefined
  readonly fromMs?: number | undefined
  readonly toMs?: number | undefined
  readonly limit: number
  /** The `next` of the previous page. A text that is not a cursor throws InvalidCursor. */
  readonly after?: string | undefined
}

export interface CallPage {
  readonly rows: readonly LoggedCall[]
  /** Cursor of the next page; undefined on the last one. */
  readonly next?: string
}

/** A call in the request log. Contains no secrets, values or texts of clients. */
export interface LoggedCall {
  /** UUIDv7 of the request. */
  readonly requestId: string
  readonly partnerId: string
  readonly keyId: string
  /** Wall-clock time of the usage record, in milliseconds since 1970. */
  readonly timeMs: number
  readonly operation: string
  readonly version: string
  /** True if the caller specified the version. */
  readonly versionExplicit: boolean
  readonly status: number
  readonly units: number
  /** Code of the fault; undefined for a success, and for calls of earlier releases. */
  readonly fault?: string
  /** Names of the parameters that were wrong. */
  readonly fields: readonly string[]
  /**
   * The violated policies as `RateLimit-Policy` shows them: `"search";q=5;w=5`; their names for calls of earlier
   * releases.
   */
  readonly policies: readonly string[]
  /** Revision of the key whose terms decided about the call; undefined for calls of earlier releases. */
  readonly keyRevision?: number
  /** The wait that the response asked for, in seconds. */
  readonly retryAfterS?: number
  /** Units that a refused call needed, or the minimum if the number was not known. */
  readonly cost?: number
  /** Number of calls before the promised time, if a penalty refused the call. */
  readonly strikes?: number
  readonly durationUs: number
}

/** Subjects of limits whose peaks are read, and the earliest time. */
export interface PeakRateQuery {
  readonly subjects: readonly string[]
  readonly fromMs: number
}

/** The second in which a subject made the most calls that a bucket of its limits admitted. */
export interface PeakRate {
  readonly subject: string
  readonly bucket: string
  /** Start of the second, in milliseconds since 1970. */
  readonly secondMs: number
  readonly calls: number
}

/** Writes the request log. Only the ledger thread of the serving process opens it. */
export interface RequestLogWriter {
  /** Returns the files of the journal that the log has, by number. They are empty after the log was deleted. */
  files(): Promise<ReadonlyMap<number, LoggedFile>>
  /** Adds calls and the points up to which files have been read, in one transaction. Ignores calls that the log has. */
  add(part: LoggedPart): Promise<void>
  /** Adds to the counts of refusals before metering. */
  addRefusals(rows: readonly RefusalHour[]): Promise<void>
  /**
   * Deletes a batch of rows before `beforeMs`, and of the oldest rows above `maxBytes`; returns false if nothing is
   * left to delete.
   */
  prune(bounds: RequestLogBounds): Promise<boolean>
  close(): Promise<void>
}

/** A file of the journal as far as it is in the request log. */
export interface LoggedFile {
  readonly file: number
  /** Number of bytes, without compression. */
  readonly bytes: number
  /** True if the writer of the journal adds nothing to it. */
  readonly complete: boolean
}

/** A part of the journal. */
export interface LoggedPart {
  readonly calls: readonly JournalCall[]
  readonly files: readonly LoggedFile[]
  /** Time up to which the log then has every call, in milliseconds since 1970; undefined if it does not change. */
  readonly countedToMs?: number | undefined
}

/** Bounds of the request log. */
export interface RequestLogBounds {
  readonly beforeMs: number
  readonly maxBytes: number
}

/** Thrown for a cursor that no list has returned. */
export class InvalidCursor extends Error {
  constructor() {
    super('The cursor is not valid. Use the cursor of the previous page, without changes.')
  }
}
