declare const cursor: unique symbol

/** A position in the usage journal. Opaque: engines store and compare it; only src/usage interprets it (journal-position.ts). */
export type UsageCursor = string & { readonly [cursor]: true }

/** The limit state of a subject in one bucket after a call; a restart restores the state from it. */
export interface UsageMark {
  readonly bucket: 'package' | 'search'
  /** The window that the units were charged to; 0 without an open window. */
  readonly windowStartMs: number
  /** Time at which the rate bucket will be full; 0 when it is full. */
  readonly tatUs: number
  readonly penalty?: {
    readonly firstRefusalUs: number
    readonly promiseUs: number
    readonly strikes: number
    readonly struckUs: number
  }
}

/** The columns by which calls are summed. */
export interface UsageKey {
  /** Start of the period, in milliseconds since 1970: a slot (slot.ts), or a UTC day in the roll-up by day. */
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
export interface AuditedState extends StoredState {
  readonly carried: number
}

/** The sums of a range of the journal, which one transaction adds to the ledger. */
export interface Fold {
  readonly from: UsageCursor
  readonly to: UsageCursor
  /** Rows by slot; rows by day are derived from them. */
  readonly rows: readonly UsageRow[]
  /** The newest mark of each subject and bucket; `used` is the number of units that this range adds to the window. */
  readonly states: readonly StoredState[]
  /** Time and wall-clock shift of the last record (UsageRecord). */
  readonly last: { readonly timeMs: number; readonly shiftMs: number }
}

/** The end of an open period. Such a query reads roll-ups only, without the calls of the current hour in detail. */
export const openEnd = Number.MAX_SAFE_INTEGER

/** A query for usage in a half-open period. */
export interface UsageQuery {
  readonly fromMs: number
  /** `openEnd` for everything up to now. */
  readonly toMs: number
  readonly keyId?: string
  readonly partnerId?: string
}

/** The complete contents of the ledger. */
export interface LedgerContents {
  readonly position: UsageCursor
  readonly slots: UsageRow[]
  readonly days: UsageRow[]
  readonly states: AuditedState[]
}

/** The sums of the journal. */
export interface Ledger {
  /** Returns the position up to which the journal has been folded. */
  position(): Promise<UsageCursor>
  /** Returns time and shift of the last folded record; undefined before the first. */
  last(): Promise<Fold['last'] | undefined>
  /**
   * Adds rows and states and moves the position, in one transaction. `stale`, with nothing changed, when the position
   * is no longer `fold.from` because another process has folded this range.
   */
  commit(fold: Fold): Promise<'committed' | 'stale'>
  /** Return the rows by slot, or by UTC day, whose period starts within the queried period. */
  slots(query: UsageQuery): Promise<UsageRow[]>
  days(query: UsageQuery): Promise<UsageRow[]>
  /** Returns a consistent view of position, roll-ups and states: a concurrent fold is included completely or not at all. */
  readAll(): Promise<LedgerContents>
  /** Returns every state that may still have an effect at `nowMs`. */
  states(nowMs: number): Promise<AuditedState[]>
  /** Replaces the states that a restart changed, and sets `last` to now. Call it before the first call is served. */
  rebase(states: readonly StoredState[], nowMs: number): Promise<void>
}
