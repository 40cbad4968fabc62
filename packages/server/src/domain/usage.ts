import type { UsageMark } from './ledger.ts'
import type { Meter } from './operation.ts'

/** One call in the journal. Holds no secret and no text of a client. */
export interface UsageRecord {
  /** UUIDv7, unique. */
  readonly requestId: string
  /** Wall time of the call's arrival, milliseconds since 1970. */
  readonly timeMs: number
  /** Sum of the steps of the wall clock since the process began, in milliseconds (access/timeline.ts). */
  readonly shiftMs: number
  readonly partnerId: string
  readonly keyId: string
  /** Subject of the limits: the id of the key, or that of the partner's common limits. */
  readonly subject: string
  readonly operation: string
  readonly version: string
  /** True when the caller named the version; false for the default. */
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
}

/** The reason why the journal cannot be written. */
export interface JournalFailure {
  /** Error code of the operating system, such as ENOSPC. */
  readonly code: string
  /** One sentence for the operator. */
  readonly reason: string
}

/** The outcome of an append: passed to the operating system, or certainly not in the journal. */
export type AppendResult = 'written' | JournalFailure

/** The journal to which each call is appended before its answer is sent. */
export interface UsageJournal {
  append(record: UsageRecord): Promise<AppendResult>
  failure(): JournalFailure | undefined
}
