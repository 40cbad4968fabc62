declare const cursor: unique symbol

/** A place in the usage journal. Opaque: engines store and compare it, and only src/usage reads it (journal-position.ts). */
export type UsageCursor = string & { readonly [cursor]: true }

/** What a call leaves of its subject's state in one bucket: enough for a restart to know it again. */
export interface UsageMark {
  readonly bucket: 'package' | 'search'
  /** The window that the units were charged to; 0 when none is open. */
  readonly windowStartMs: number
  /** When the rate bucket will be full; 0 when it is. */
  readonly tatUs: number
  readonly penalty?: {
    readonly firstRefusalUs: number
    readonly promiseUs: number
    readonly strikes: number
    readonly struckUs: number
  }
}

/** What calls are summed by. */
export interface UsageKey {
  /** Start of the span, milliseconds since 1970: a slot (slot.ts), or a UTC day in the roll-up by day. */
  readonly fromMs: number
  readonly partnerId: string
  readonly keyId: string
  readonly operation: string
  readonly version: string
  readonly versionExplicit: boolean
  readonly status: number
  readonly billable: boolean
}

/** One line of a roll-up. */
export interface UsageRow extends UsageKey {
  readonly calls: number
  readonly units: number
}

/** The state of one subject in one bucket, as stored. Structurally the limiter's own (access/limit-state.ts). */
export interface StoredState extends UsageMark {
  readonly subject: string
  /** Units in the window. */
  readonly used: number
}

/** A stored state, with the units that its window brought along when a restart moved it. */
export interface AuditedState extends StoredState {
  readonly carried: number
}

/** A piece of the journal, summed: what one transaction of the ledger takes in. */
export interface Fold {
  readonly from: UsageCursor
  readonly to: UsageCursor
  /** Rows by slot; those of the days follow from them. */
  readonly rows: readonly UsageRow[]
  /** The newest mark of each subject and bucket; `used`: units that this piece adds to that window. */
  readonly states: readonly StoredState[]
  /** When the last record was written, and its shift of the wall clock (UsageRecord). */
  readonly last: { readonly timeMs: number; readonly shiftMs: number }
}

/** Where a question has no end: answered from the roll-ups alone, which a cut through the present hour is not. */
export const openEnd = Number.MAX_SAFE_INTEGER

/** Which rows to read: half-open in time, and whose. */
export interface UsageQuery {
  readonly fromMs: number
  /** `openEnd` for everything up to now. */
  readonly toMs: number
  readonly keyId?: string
  readonly partnerId?: string
}

/** Everything in the ledger. */
export interface WholeLedger {
  readonly position: UsageCursor
  readonly slots: UsageRow[]
  readonly days: UsageRow[]
  readonly states: AuditedState[]
}

/** The sums made from the journal. A cluster's store fits behind it. */
export interface Ledger {
  /** How far the journal has been folded. */
  position(): Promise<UsageCursor>
  /** The shift of the last folded record, and its time; undefined before the first. */
  last(): Promise<Fold['last'] | undefined>
  /**
   * Adds rows and states and moves the position, in one transaction. `stale`, with nothing changed, when the position
   * is no longer `fold.from`: somebody else has folded this piece.
   */
  commit(fold: Fold): Promise<'committed' | 'stale'>
  /** Roll-up lines by slot, or by UTC day, whose span begins within the query's. */
  slots(query: UsageQuery): Promise<UsageRow[]>
  days(query: UsageQuery): Promise<UsageRow[]>
  /** Position, roll-ups and states as they are at one moment: a fold beside it is wholly in or not at all. */
  whole(): Promise<WholeLedger>
  /** Every state that may still matter at `nowMs`. */
  states(nowMs: number): Promise<AuditedState[]>
  /** Replaces the states that a restart changed; `last` is now. To be called before the first call is served. */
  rebase(states: readonly StoredState[], nowMs: number): Promise<void>
}
