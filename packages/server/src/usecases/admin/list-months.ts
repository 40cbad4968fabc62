import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { KeyAdmin } from '../../domain/key-stores.ts'
import { isClosed, type UsageReports } from '../../domain/usage-report.ts'
import type { Clock } from '../../kit/clock.ts'
import { getMonthSpan, toLocalDate } from '../../kit/time.ts'
import { getPartner } from './get-partner.ts'
import { reportUsage } from './report-usage.ts'

/** A month of a partner for which there is a statement. */
export interface StatementMonth {
  /** `2026-11` */
  readonly month: string
  readonly billableUnits: number
  /** True if the month has ended and all its calls are counted. */
  readonly closed: boolean
  /** End of the month, in milliseconds since 1970. */
  readonly closesMs: number
}

/** Lists the months since the first billable call of a partner, newest first. The current month is always listed. */
export async function listMonths(
  stores: { readonly usage: UsageReports; readonly keys: KeyAdmin; readonly clock: Clock },
  actor: Actor,
  { partnerId }: { readonly partnerId: string },
): Promise<{ readonly timeZone: string; readonly months: readonly StatementMonth[] } | AdminFault> {
  const partner = await getPartner(stores, actor, { id: partnerId })
  if (isAdminFault(partner)) return partner
  const timeZone = partner.zone ?? 'UTC'
  const report = await reportUsage(stores, actor, { partnerId, by: ['day'], timeZone })
  if (isAdminFault(report)) return report
  const [nowMs, countedToMs] = [stores.clock.nowMs(), await stores.usage.countedTo()]
  const current = toLocalDate(nowMs, timeZone).slice(0, 7)
  const units = new Map<string, number>()
  for (const { day, billableUnits } of report.rows) {
    const month = String(day).slice(0, 7)
    if (billableUnits > 0) units.set(month, (units.get(month) ?? 0) + billableUnits)
  }
  const first = [...units.keys(), current].sort()[0]!
  const months: StatementMonth[] = []
  for (let month = current; month >= first; month = monthBefore(month)) {
    const { toMs } = getMonthSpan(month, timeZone)
    months.push({
      month,
      billableUnits: units.get(month) ?? 0,
      closed: isClosed(toMs, nowMs, countedToMs),
      closesMs: toMs,
    })
  }
  return { timeZone, months }
}

const monthBefore = (month: string): string => Temporal.PlainYearMonth.from(month).subtract({ months: 1 }).toString()
