import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, isAdminFault } from '../../domain/admin-fault.ts'
import { searchOperations } from '../../domain/operation.ts'
import type { UsageReports } from '../../domain/usage-report.ts'
import type { Clock } from '../../kit/clock.ts'
import { addDays, datesBetween } from '../../kit/dates.ts'
import { startOfDay } from '../../kit/time.ts'
import { reportUsage } from './report-usage.ts'

/** Units of consecutive days, the latest last, by their kind of call. */
export interface DailyUnits {
  readonly searches: readonly number[]
  readonly others: readonly number[]
}

/** The days to read: those before `today`. */
export interface PastDays {
  readonly partnerId: string
  /** Default: all keys of the partner. */
  readonly keyId?: string
  readonly today: string
  readonly days: number
  readonly timeZone: string
}

/** Reads the units of past days by key. */
export async function readPastUnits(
  stores: { readonly usage: UsageReports; readonly clock: Clock },
  actor: Actor,
  { partnerId, keyId, today, days, timeZone }: PastDays,
): Promise<ReadonlyMap<string, DailyUnits> | AdminFault> {
  const from = addDays(today, -days)
  const report = await reportUsage(stores, actor, {
    ...(keyId === undefined ? { partnerId } : { keyId }),
    fromMs: startOfDay(from, timeZone),
    toMs: startOfDay(today, timeZone),
    timeZone,
    by: ['day', 'operation', 'key'],
    countedOnly: true,
  })
  if (isAdminFault(report)) return report
  const places = new Map(datesBetween(from, addDays(today, -1)).map((date, i) => [date, i]))
  const zeros = () => Array.from(places, () => 0)
  const byKey = new Map<string, { readonly searches: number[]; readonly others: number[] }>()
  for (const { key, day, operation, units } of report.rows) {
    const own = byKey.getOrInsertComputed(String(key), () => ({ searches: zeros(), others: zeros() }))
    const sums = searchOperations.includes(String(operation)) ? own.searches : own.others
    sums[places.get(String(day))!]! += units
  }
  return byKey
}
