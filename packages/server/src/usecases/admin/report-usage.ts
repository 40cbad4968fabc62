import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import { openEnd } from '../../domain/ledger.ts'
import type { Operation } from '../../domain/operation.ts'
import type { UsageDimension, UsageReport, UsageReports } from '../../domain/usage-report.ts'
import { isVisible, visibilityOf } from '../../domain/visibility.ts'
import type { Clock } from '../../kit/clock.ts'
import { normalizeTimeZone } from '../../kit/time.ts'

/** The calls to report, and how to sum them. */
export interface UsageReportInput {
  readonly keyId?: string | undefined
  readonly partnerId?: string | undefined
  readonly operation?: Operation | undefined
  /** In milliseconds since 1970. Default: 0. */
  readonly fromMs?: number | undefined
  /** End of the period, exclusive. Default: now. */
  readonly toMs?: number | undefined
  readonly by: readonly UsageDimension[]
  /** Time zone of days. Default: UTC. */
  readonly timeZone?: string | undefined
  /**
   * Leaves out the calls of the last second, which are not folded yet: for pages that are fetched again and again.
   * Default: false.
   */
  readonly countedOnly?: boolean
}

/** A usage report and the period that it covers. */
export interface PeriodReport extends UsageReport {
  readonly fromMs: number
  readonly toMs: number
  readonly by: readonly UsageDimension[]
}

/** Sums the visible calls of a period, including journalled calls that are not folded yet. */
export async function reportUsage(
  { usage, clock }: { readonly usage: UsageReports; readonly clock: Clock },
  actor: Actor,
  { keyId, partnerId, operation, fromMs = 0, toMs, by, timeZone = 'UTC', countedOnly = false }: UsageReportInput,
): Promise<PeriodReport | AdminFault> {
  const zone = normalizeTimeZone(timeZone)
  if (zone === undefined) return adminFault('time_zone_unknown', ['tz'], { timeZone })
  const endMs = toMs ?? clock.nowMs()
  if (fromMs > endMs) return adminFault('period_reversed', ['from', 'to'], { fromMs, toMs: endMs })
  const period = { fromMs, toMs: endMs, by }
  const visibility = visibilityOf(actor)
  if (partnerId !== undefined && !isVisible(visibility, partnerId)) return { ...noUsage, ...period }
  const ownerId = 'all' in visibility ? partnerId : visibility.partnerId
  const query = {
    fromMs,
    toMs: toMs ?? openEnd,
    ...(keyId !== undefined && { keyId }),
    ...(ownerId !== undefined && { partnerId: ownerId }),
    ...(operation !== undefined && { operation }),
  }
  return { ...(await usage.report(query, by, zone, countedOnly)), ...period }
}

const noUsage: UsageReport = { calls: 0, units: 0, billableUnits: 0, rows: [] }
