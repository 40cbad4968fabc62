import type { LedgerColumn, UsageQuery, UsageTotals } from './ledger.ts'
import type { PackageName } from './package.ts'

/** The columns that usage can be summed by; with several columns, there is one row for each combination. */
export const usageDimensions = ['operation', 'day', 'version', 'status', 'partner', 'key'] as const satisfies readonly (
  | LedgerColumn
  | 'day'
)[]
export type UsageDimension = (typeof usageDimensions)[number]

/** The sums of one combination of dimensions. */
export type UsageReportLine = UsageTotals & Readonly<Partial<Record<UsageDimension, string | number>>>

/** Usage summed by dimensions. */
export interface UsageReport extends UsageTotals {
  readonly rows: readonly UsageReportLine[]
}

/** A call is journalled when it ends, so arrival times in the journal can be out of order by this much. */
export const longestCallMs = 600_000

/** Returns true if a period has ended and all nodes have counted its calls. */
export const isClosed = (toMs: number, nowMs: number, countedToMs: number): boolean =>
  toMs <= nowMs && countedToMs >= toMs + longestCallMs

/** The partner, month and time zone of a statement. */
export interface StatementPeriod {
  readonly partnerId: string
  /** `2026-11`, in `timeZone`. */
  readonly month: string
  readonly timeZone: string
}

/** The billed calls of one key and operation. */
export interface StatementLine {
  readonly key: string
  readonly operation: string
  /** Calls, excluding refused and failed ones. */
  readonly calls: number
  readonly units: number
}

/** The bill of a partner for a month. */
export interface Statement extends StatementPeriod {
  readonly fromMs: number
  readonly toMs: number
  /** True if the month has ended and all its calls are counted: the statement will not change any more. */
  readonly closed: boolean
  /** Calls, excluding refused and failed ones. */
  readonly calls: number
  /** Units to bill, excluding units of test keys. */
  readonly units: number
  /** By key and operation, those with units. */
  readonly lines: readonly StatementLine[]
}

/** The units of the keys of a package, and the price that the operator states for it. */
export interface PackagePrice {
  readonly package: PackageName
  /** A text of the operator. */
  readonly price: string
  readonly units: number
}

/** A statement with what a reader needs to pay it. */
export interface PricedStatement extends Statement {
  readonly partnerName: string
  /** Time up to which calls are counted, in milliseconds since 1970. */
  readonly countedToMs: number
  /** Names of keys, by id. */
  readonly keyNames: ReadonlyMap<string, string>
  /** The packages that have a price and to which keys with units now belong. */
  readonly prices: readonly PackagePrice[]
}

/** Calls of a key without a version, and the default version that was used. */
export interface RelyingKey {
  readonly keyId: string
  readonly partnerId: string
  readonly version: string
  readonly calls: number
}

/** Reports over the ledger and over journalled calls that are not folded yet. */
export interface UsageReports {
  /** Sums usage by dimensions; `countedOnly` leaves out the calls that are not folded yet. */
  report(
    query: UsageQuery,
    by: readonly UsageDimension[],
    timeZone: string,
    countedOnly?: boolean,
  ): Promise<UsageReport>
  /** Makes a statement; `countedOnly` leaves out the calls that are not folded yet. */
  statement(period: StatementPeriod, nowMs: number, countedOnly?: boolean): Promise<Statement>
  /** Returns the time before which all nodes have counted their calls; infinite where one process counts. */
  countedTo(): Promise<number>
  /** Returns the keys that have relied on the default version since `fromMs`, most calls first. */
  relyingKeys(fromMs: number): Promise<RelyingKey[]>
}
