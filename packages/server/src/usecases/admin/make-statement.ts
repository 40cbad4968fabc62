import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault } from '../../domain/admin-fault.ts'
import type { Statement, UsageReports } from '../../domain/usage-report.ts'
import type { Clock } from '../../kit/clock.ts'
import { isCalendarDate, normalizeTimeZone } from '../../kit/time.ts'

/** The partner and month of a statement. */
export interface StatementInput {
  readonly partnerId: string
  /** `2026-11` */
  readonly month: string
  /** Time zone of the month. Default: UTC. */
  readonly timeZone?: string | undefined
}

/** Makes the statement of a partner for a month: the calls and units to bill. */
export async function makeStatement(
  { usage, clock }: { readonly usage: UsageReports; readonly clock: Clock },
  _actor: Actor,
  { partnerId, month, timeZone = 'UTC' }: StatementInput,
): Promise<Statement | AdminFault> {
  const zone = normalizeTimeZone(timeZone)
  if (zone === undefined) return adminFault('time_zone_unknown', ['tz'], { timeZone })
  if (!isCalendarDate(`${month}-01`)) return adminFault('month_invalid', ['month'], { month })
  return usage.statement({ partnerId, month, timeZone: zone }, clock.nowMs())
}
