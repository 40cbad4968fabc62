import type { UsageMark } from './ledger.ts'
import type { Meter } from './operation.ts'

/** One call, as the journal keeps it. No secret and no free text: all members are the service's own words. */
export interface UsageRecord {
  /** UUIDv7, unique. */
  readonly requestId: string
  /** When the call arrived: wall time, milliseconds since 1970. */
  readonly timeMs: number
  /** How far the wall clock had been stepped since the process began (access/timeline.ts). */
  readonly shiftMs: number
  readonly partnerId: string
  readonly keyId: string
  /** Whose limits it spent: the key id, or what stands for the partner. */
  readonly subject: string
  readonly operation: string
  readonly version: string
  /** The caller asked for this version, rather than getting the default. */
  readonly versionExplicit: boolean
  readonly units: number
  /** How the operation was metered when this was charged, and how many units one call weighs. */
  readonly meter: Meter
  readonly weight: number
  /** Units of test keys are counted, and never billed. */
  readonly billable: boolean
  readonly status: number
  /** The policies that refused it. */
  readonly refusedBy: readonly string[]
  readonly durationUs: number
  readonly marks: readonly UsageMark[]
}

/** Why nothing can be written at present. */
export interface JournalFailure {
  /** The system's code: ENOSPC, EIO … */
  readonly code: string
  /** One sentence for the operator. */
  readonly reason: string
}

/** What became of a record: handed to the operating system, or certainly not in the journal. */
export type Appended = 'written' | JournalFailure

/** Where usage goes before an answer leaves. */
export interface UsageJournal {
  append(record: UsageRecord): Promise<Appended>
  failure(): JournalFailure | undefined
}
