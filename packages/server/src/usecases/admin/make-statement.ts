import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, adminFault, isAdminFault } from '../../domain/admin-fault.ts'
import type { Key } from '../../domain/key.ts'
import type { KeyAdmin } from '../../domain/key-stores.ts'
import { type PackageTable, packageNames } from '../../domain/package.ts'
import type { PackagePrice, PricedStatement, StatementLine, UsageReports } from '../../domain/usage-report.ts'
import type { Clock } from '../../kit/clock.ts'
import { isCalendarDate, normalizeTimeZone } from '../../kit/time.ts'
import { getPartner } from './get-partner.ts'

/** The partner and month of a statement. */
export interface StatementInput {
  readonly partnerId: string
  /** `2026-11` */
  readonly month: string
  /** Time zone of the month. Default: the zone of the partner, or UTC. */
  readonly timeZone?: string | undefined
  /** Leaves out the calls of the last second, which are not folded yet: for overviews. Default: false. */
  readonly countedOnly?: boolean
}

/** Dependencies of statements. */
export interface StatementStores {
  readonly usage: UsageReports
  readonly keys: KeyAdmin
  readonly clock: Clock
  readonly packageTable: PackageTable
}

/** Makes the statement of a partner for a month: the calls and units to bill, and the prices of the packages. */
export async function makeStatement(
  stores: StatementStores,
  actor: Actor,
  input: StatementInput,
): Promise<PricedStatement | AdminFault> {
  const { partnerId, month, timeZone, countedOnly = false } = input
  const asked = timeZone && normalizeTimeZone(timeZone)
  if (timeZone !== undefined && !asked) return adminFault('time_zone_unknown', ['tz'], { timeZone })
  if (!isCalendarDate(`${month}-01`)) return adminFault('month_invalid', ['month'], { month })
  const partner = await getPartner(stores, actor, { id: partnerId })
  if (isAdminFault(partner)) return partner
  const zone = asked ?? partner.zone ?? 'UTC'
  const nowMs = stores.clock.nowMs()
  const statement = await stores.usage.statement({ partnerId, month, timeZone: zone }, nowMs, countedOnly)
  const keys = await stores.keys.keys({ partnerId })
  return {
    ...statement,
    partnerName: partner.name,
    countedToMs: Math.min(nowMs, statement.toMs, statement.closed ? nowMs : await stores.usage.countedTo()),
    keyNames: new Map(keys.flatMap(({ id, name }) => (name === undefined ? [] : [[id, name] as const]))),
    prices: pricesOf(statement.lines, keys, stores.packageTable),
  }
}

/** Returns the packages with a price to which the keys of the lines belong, with their units. */
function pricesOf(
  lines: readonly StatementLine[],
  keys: readonly Key[],
  { packages }: PackageTable,
): readonly PackagePrice[] {
  const packageOf = new Map(keys.map(({ id, packageName }) => [id, packageName]))
  return packageNames.flatMap(name => {
    const { price } = packages[name]
    const own = lines.filter(({ key }) => packageOf.get(key) === name)
    if (price === undefined || own.length === 0) return []
    return [{ package: name, price, units: own.reduce((sum, { units }) => sum + units, 0) }]
  })
}
