import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, isAdminFault } from '../../domain/admin-fault.ts'
import { type FeedName, feedNames } from '../../domain/feed.ts'
import { type Key, noFeedsReason } from '../../domain/key.ts'
import type { KeyAdmin } from '../../domain/key-stores.ts'
import type { PackageTable } from '../../domain/package.ts'
import type { UsageReports } from '../../domain/usage-report.ts'
import { everything } from '../../domain/visibility.ts'
import type { Clock } from '../../kit/clock.ts'
import { dayMs, startOfUtcDay } from '../../kit/time.ts'
import { reportUsage } from './report-usage.ts'

/** A key that uses a version: calls of the last 30 days, or pins. */
export interface VersionUser {
  readonly key: Key
  readonly calls: number
  /** Newest UTC day with calls: `2026-11-22`. */
  readonly lastDay?: string | undefined
  readonly pins: readonly FeedName[]
}

/** Dependencies of the use cases about the users of versions. */
export interface VersionUseStores {
  readonly usage: UsageReports
  readonly keys: KeyAdmin
  readonly packageTable: PackageTable
  readonly clock: Clock
}

/** Period of the calls that count as use, in days. */
export const versionUseDays = 30
/** Lists the keys that use each version, most calls first. Revoked keys use none. */
export async function listVersionUsers(
  stores: VersionUseStores,
  actor: Actor,
  { versions }: { readonly versions: readonly string[] },
): Promise<ReadonlyMap<string, readonly VersionUser[]> | AdminFault> {
  const fromMs = startOfUtcDay(stores.clock.nowMs() - versionUseDays * dayMs)
  const report = await reportUsage(stores, actor, { fromMs, by: ['version', 'key', 'day'] })
  if (isAdminFault(report)) return report
  const keys = (await stores.keys.keys(everything)).filter(key => key.state !== 'revoked')
  const usersOf = (version: string): readonly VersionUser[] =>
    keys
      .map(key => {
        const rows = report.rows.filter(row => row.version === version && row.key === key.id)
        const calls = rows.reduce((sum, row) => sum + row.calls, 0)
        const lastDay = rows
          .map(({ day }) => String(day))
          .sort()
          .at(-1)
        const hasFeeds = noFeedsReason(key, stores.packageTable) === undefined
        const pins = feedNames.filter(feed => hasFeeds && key.feedPins[feed] === version)
        return { key, calls, lastDay, pins }
      })
      .filter(({ calls, pins }) => calls > 0 || pins.length > 0)
      .sort((a, b) => b.calls - a.calls)
  return new Map(versions.map(version => [version, usersOf(version)]))
}
