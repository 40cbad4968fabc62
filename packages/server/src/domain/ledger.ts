import type { BootTime } from '../kit/clock.ts'
import type { EventDraft } from './event.ts'
import type { LimitedBucket } from './limit-bucket.ts'

declare const cursor: unique symbol

/**
 * The position that the latest fold reached in the usage journal. No two folds have the same. Opaque: engines store and
 * compare it; only src/usage interprets it (journal-position.ts).
 */
export type UsageCursor = string & { readonly [cursor]: true }

/** The limit state of a subject in one bucket after a call; a restart restores the state from it. */
export interface UsageMark {
  readonly bucket: LimitedBucket
  /** The window that the units were charged to; 0 without an open window. */
  readonly windowStartMs: number
  /** Time at which the rate bucket will be full; 0 when it is full. */
  readonly tatUs: number
  readonly penalty?:
    | {
        readonly firstRefusalUs: number
        readonly promiseUs: number
        readonly strikes: number
        readonly struckUs: number
      }
    | undefined
}

/** The columns by which calls are summed. */
export interface UsageKey {
  /** Start of the period, in milliseconds since 1970: a slot (slot.ts), or an eighth of a UTC day, or a UTC day. */
  readonly fromMs: number
  readonly partnerId: string
  readonly keyId: string
  readonly operation: string
  readonly version: string
  readonly versionExplicit: boolean
  readonly status: number
  readonly billable: boolean
}

/** A row of a roll-up. */
export interface UsageRow extends UsageKey {
  readonly calls: number
  readonly units: number
}

/** The stored state of one subject in one bucket. Structurally equal to the limiter's (access/limit-state.ts). */
export interface StoredState extends UsageMark {
  readonly subject: string
  /** Units charged in the window. */
  readonly used: number
}

/** A stored state with the units that were already in its window when a restart moved the window. */
export interface CheckedState extends StoredState {
  readonly carried: number
}

/** A file of the journal as the ledger knows it. The ledger never forgets a file, so that its number is not reused. */
export interface FoldedFile {
  /** Number of the file. Files before the first one that the ledger knows were folded by an earlier release. */
  readonly file: number
  /** Number of bytes that have been folded, without compression. */
  readonly bytes: number
  /** Number of calls that were counted. */
  readonly calls: number
  /**
   * Times of the earliest and the latest record; `Infinity` and 0 without records, 0 and `Infinity` if they are
   * unknown.
   */
  readonly firstMs: number
  readonly lastMs: number
  /** `dropped` by retention, or `lost`: reported as missing or shortened. */
  readonly state: 'present' | 'dropped' | 'lost'
}

/** The sums of a part of the journal, which one transaction adds to the ledger. */
export interface Fold {
  readonly from: UsageCursor
  readonly to: UsageCursor
  /** The new state of each file to which the part belongs. */
  readonly files: readonly FoldedFile[]
  /** Rows by slot; rows of longer periods are derived from them. */
  readonly rows: readonly UsageRow[]
  /** The newest mark of each subject and bucket; `used` is the number of units that this range adds to the window. */
  readonly states: readonly FoldedState[]
  /** The latest use of each key and secret in the part. */
  readonly uses: readonly FoldedUse[]
  /** Time and wall-clock shift of the last record; undefined without records. */
  readonly last: LastRecord | undefined
  /** The last strike of each subject and bucket; missing if there are no strikes. */
  readonly strikes?: readonly Strike[]
  /** Ids of the batches of the part, which were stored before they were written; missing otherwise. */
  readonly batches?: readonly string[]
  /** Number of calls that limits decided, by the epoch of their records or `noEpoch`; missing without such calls. */
  readonly epochs?: ReadonlyMap<number, number>
}

/** The epoch of calls whose limits one process had alone, without sharing any: no epoch knows them. */
export const noEpoch = -1

/** The result of a fold that has been added to the ledger. */
export interface CommittedFold {
  /** Number of its calls that shared limits did not know, so that their epoch has ended. */
  readonly late: number
}

/** The state of one subject in one bucket as a part of the journal has it. */
export interface FoldedState extends StoredState {
  /** Units of `used` that were recorded under another start of the window; missing without shared limits. */
  readonly carried?: number
  /** Time of the last decision, in microseconds since 1970; missing without shared limits. */
  readonly lastUs?: number
}

/** A call before the promised time, which extended the wait of its subject. */
export interface Strike {
  readonly subject: string
  readonly bucket: UsageMark['bucket']
  /** Milliseconds since 1970. */
  readonly atMs: number
}

/** The latest call of a key in a part of the journal. */
export interface FoldedUse {
  readonly keyId: string
  /** In UTC, such as `2026-11-20`. */
  readonly day: string
  readonly version: string
  /** The calls with each secret that was used. */
  readonly secrets: readonly FoldedSecretUse[]
}

/** The calls with one secret of a key in a part of the journal. */
export interface FoldedSecretUse {
  readonly id: string
  readonly calls: number
  /** Time of the latest call, in milliseconds since 1970. */
  readonly latestMs: number
}

/** Time and wall-clock shift of a record (UsageRecord). */
export interface LastRecord {
  readonly timeMs: number
  readonly shiftMs: number
}

/** The clock of a process that serves, for the restart after it. */
export interface ProcessClock {
  /** Wall time at the start of the process. */
  readonly startMs: number
  /** Time since the machine was started, at the same moment; undefined if it cannot be read. */
  readonly boot: BootTime | undefined
  /** Time by which the wall clock was behind that of earlier processes, in milliseconds; 0 if it was not. */
  readonly behindMs: number
}

/** The end of an open period. Such a query reads roll-ups only, without the calls of the current hour in detail. */
export const openEnd = Number.MAX_SAFE_INTEGER

/** A restriction of the calls that are summed. */
export interface UsageFilter {
  readonly keyId?: string
  readonly partnerId?: string
  readonly operation?: string
  /** `billable`: without test keys. `defaultVersion`: calls that did not name a version. */
  readonly only?: 'billable' | 'defaultVersion'
}

/** A query for usage in a half-open period. */
export interface UsageQuery extends UsageFilter {
  readonly fromMs: number
  /** `openEnd` for everything up to now. */
  readonly toMs: number
}

/** The columns that the ledger sums by. */
export const ledgerColumns = ['operation', 'version', 'status', 'partner', 'key'] as const
export type LedgerColumn = (typeof ledgerColumns)[number]

/** Sums of calls. */
export interface UsageTotals {
  readonly calls: number
  readonly units: number
  /** Units, excluding units of test keys. */
  readonly billableUnits: number
}

/** Roll-ups that are derived from the one by slot: the length of their periods, which start at multiples of it. */
export const rollUpPeriodsMs = { eighths: 10_800_000, days: 86_400_000 } as const

/** Rows of a roll-up that are added to a part of the result, or subtracted from it. */
export interface SumPiece {
  readonly rollUp: 'slots' | keyof typeof rollUpPeriodsMs
  /** The half-open span in which the periods of the rows start. */
  readonly fromMs: number
  readonly toMs: number
  /** Number of the part. */
  readonly part: number
  readonly sign: 1 | -1
}

/** The sums of one part and one combination of columns. */
export interface PartSum extends UsageTotals {
  readonly part: number
  /** The values of the columns, in the order of the query. */
  readonly columns: readonly (string | number)[]
}

/** The files of the journal of a node as the ledger knows them. */
export interface NodeFiles {
  readonly node: string
  readonly files: readonly FoldedFile[]
  /** True if the rest of its journal is lost, and no longer expected. */
  readonly isForgotten: boolean
}

/** The complete contents of the ledger. */
export interface LedgerContents {
  readonly position: UsageCursor
  readonly files: FoldedFile[]
  /** The files of other nodes whose journals were folded into the same sums. */
  readonly others: readonly NodeFiles[]
  readonly slots: UsageRow[]
  readonly eighths: UsageRow[]
  readonly days: UsageRow[]
  readonly states: CheckedState[]
}

/** The sums of the journal. */
export interface Ledger {
  /** Returns the position that the latest fold reached. */
  position(): Promise<UsageCursor>
  /** Returns the files of the journal that the ledger knows, in ascending order. */
  files(): Promise<FoldedFile[]>
  /** Returns time and shift of the last folded record; undefined before the first. */
  last(): Promise<LastRecord | undefined>
  /** Returns the clock of the process that served last; undefined before the first. */
  clock(): Promise<ProcessClock | undefined>
  /**
   * Adds rows and states, and moves the position, in one transaction. `stale`, with nothing changed, when the position
   * is no longer `fold.from` because another process has folded. The events that `eventsOf` returns for the changed
   * states are added to the outbox in the same transaction.
   */
  commit(
    fold: Fold,
    eventsOf?: (states: readonly StoredState[]) => readonly EventDraft[],
  ): Promise<CommittedFold | 'stale'>
  /** Sets the state of files; adds those that the ledger does not know. */
  markFiles(files: readonly FoldedFile[]): Promise<void>
  /** Return the rows by slot, or by UTC day, whose period starts within the queried period. */
  slots(query: UsageQuery): Promise<UsageRow[]>
  days(query: UsageQuery): Promise<UsageRow[]>
  /** Sums pieces of the roll-ups by columns. Combinations without calls are omitted. */
  sum(pieces: readonly SumPiece[], columns: readonly LedgerColumn[], filter: UsageFilter): Promise<PartSum[]>
  /** Returns the start of the first UTC day with calls and the end of the last one; undefined without calls. */
  span(): Promise<{ readonly fromMs: number; readonly toMs: number } | undefined>
  /**
   * Returns a consistent view of position, roll-ups and states: a concurrent fold is included completely or not at all.
   */
  readAll(): Promise<LedgerContents>
  /** Returns every state that may still have an effect at `nowMs`. */
  states(nowMs: number): Promise<CheckedState[]>
  /**
   * Replaces the states that a restart changed, sets `last` to now, and stores the clock of the process. Call it before
   * the first call is served.
   */
  rebase(states: readonly StoredState[], nowMs: number, clock?: ProcessClock): Promise<void>
}
