import type { SessionMark } from './autocomplete-session.ts'
import type { FaultCode } from './fault.ts'
import type { UsageMark } from './ledger.ts'
import type { Meter } from './operation.ts'

/** One call in the journal. Contains no secrets and no client-supplied text. */
export interface UsageRecord {
  /** UUIDv7, unique. */
  readonly requestId: string
  /** Wall-clock time at which the call arrived, in milliseconds since 1970. */
  readonly timeMs: number
  /** Sum of the steps of the wall clock since the process started, in milliseconds (access/timeline.ts). */
  readonly shiftMs: number
  readonly partnerId: string
  readonly keyId: string
  /** Id of the secret that the caller sent; undefined in records of earlier releases. */
  readonly secretId?: string
  /** Subject of the limits: the id of the key, or of its partner if the partner's keys share limits. */
  readonly subject: string
  readonly operation: string
  readonly version: string
  /** True if the caller specified the version; false for the default. */
  readonly versionExplicit: boolean
  readonly units: number
  /** Meter and weight of the operation at the time of the charge. */
  readonly meter: Meter
  readonly weight: number
  /** False for test keys, whose units are counted but never billed. */
  readonly billable: boolean
  readonly status: number
  /** Policies that refused the call. */
  readonly refusedBy: readonly string[]
  readonly durationUs: number
  readonly marks: readonly UsageMark[]
  /**
   * The epoch of the shared limits that decided the call, or 0 if the node decided alone (domain/limit-states.ts);
   * undefined without shared limits.
   */
  readonly epoch?: number | undefined
  /** The session of search-as-you-type that the call used. */
  readonly session?: SessionMark | undefined
  /** Undefined for a success, and in records of earlier releases. */
  readonly fault?: RecordedFault | undefined
}

/** The reason of a refused or failed call, from which the request log explains it. */
export interface RecordedFault {
  readonly code: FaultCode
  /**
   * Names of the wrong parameters as they are documented, without values and without other names that the client sent.
   */
  readonly fields: readonly string[]
  /** The violated policies as `RateLimit-Policy` shows them: `"search";q=5;w=5`. */
  readonly policies: readonly string[]
  /** Revision of the key whose terms decided. */
  readonly keyRevision: number
  /** The wait that the response asked for, in seconds. */
  readonly retryAfterS?: number
  /** Units that the refused call needed, or the minimum if the number was not known. */
  readonly cost?: number
}

/** The reason why the journal cannot currently be written. */
export interface JournalFailure {
  /** Error code of the operating system, such as ENOSPC. */
  readonly code: string
  /** Message for the operator. */
  readonly reason: string
}

/** The result of an append: written to the operating system, or the reason why the record is not in the journal. */
export type AppendResult = 'written' | JournalFailure

/** Stores batches of a journal outside of the node until the ledger has them. */
export interface BatchStore {
  /** Stores a batch. Throws StoreFailure. */
  add(id: string, batch: Buffer): Promise<void>
  /** Removes batches that are not in the journal, and may not be stored. Throws StoreFailure. */
  withdraw(ids: readonly string[]): Promise<void>
}

/** The journal to which each call is appended before its response is sent. */
export interface UsageJournal {
  append(record: UsageRecord): Promise<AppendResult>
  failure(): JournalFailure | undefined
}
