import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, isAdminFault } from '../../domain/admin-fault.ts'
import { type Key, permissionsOf } from '../../domain/key.ts'
import type { KeyAdmin } from '../../domain/key-stores.ts'
import type { ServedVersion } from '../../domain/lifecycle.ts'
import type { PackageTable } from '../../domain/package.ts'
import type { UpgradeRequest, UpgradeStore } from '../../domain/upgrade.ts'
import type { UsageReports } from '../../domain/usage-report.ts'
import type { Clock } from '../../kit/clock.ts'
import { dayMs, startOfUtcDay } from '../../kit/time.ts'
import { listKeys } from './list-keys.ts'
import { listUpgrades } from './list-upgrades.ts'
import { reportUsage } from './report-usage.ts'

/** A matter that a partner should attend to. */
export type PartnerNotice =
  | {
      readonly kind: 'version'
      readonly version: ServedVersion
      readonly calls: number
      readonly pinned: readonly Key[]
    }
  | { readonly kind: 'key_ends'; readonly key: Key; readonly endsMs: number }
  | { readonly kind: 'feed_idle'; readonly key: Key; readonly lastDay: string }
  | { readonly kind: 'upgrade_decided'; readonly request: UpgradeRequest }

/** Dependencies of the notices. */
export interface NoticeStores {
  readonly keys: KeyAdmin
  readonly usage: UsageReports
  readonly upgrades: UpgradeStore
  readonly packageTable: PackageTable
  readonly clock: Clock
  versions(): readonly ServedVersion[]
}

/** Number of keys with feeds whose downloads are read. */
const maxFeedKeys = 20
/** A sunset is announced from this time before. */
const sunsetMs = 180 * dayMs
/** Period in which calls of versions and downloads of feeds are considered, in milliseconds. */
const usedMs = 30 * dayMs
const keyEndMs = 30 * dayMs
const feedIdleMs = 7 * dayMs
const decidedMs = 14 * dayMs

/**
 * Finds what a partner should attend to: versions that will be retired, keys that end, feeds that nobody downloads,
 * decisions.
 */
export async function findNotices(
  stores: NoticeStores,
  actor: Actor,
  { partnerId }: { readonly partnerId: string },
): Promise<readonly PartnerNotice[] | AdminFault> {
  const nowMs = stores.clock.nowMs()
  const keys = (await listKeys(stores, actor)).filter(
    key => key.partnerId === partnerId && key.state === 'active' && (key.expiresMs ?? nowMs + 1) > nowMs,
  )
  const input = { partnerId, fromMs: usedSince(nowMs), by: ['version', 'operation'] as const, countedOnly: true }
  const report = await reportUsage(stores, actor, input)
  if (isAdminFault(report)) return report
  const calls = new Map<string, number>()
  for (const row of report.rows) calls.set(String(row.version), (calls.get(String(row.version)) ?? 0) + row.calls)
  const hasDownloads = report.rows.some(({ operation }) => operation === 'downloadFeedFile')
  const decided = (await listUpgrades(stores, actor, { partnerId })).filter(
    ({ state, decidedMs: atMs }) =>
      (state === 'approved' || state === 'declined') && atMs !== undefined && atMs > nowMs - decidedMs,
  )
  return [
    ...keys.flatMap(key =>
      key.expiresMs !== undefined && key.expiresMs < nowMs + keyEndMs
        ? [{ kind: 'key_ends' as const, key, endsMs: key.expiresMs }]
        : [],
    ),
    ...endingVersions(stores, keys, calls, nowMs),
    ...(hasDownloads ? await idleFeeds(stores, actor, keys, nowMs) : []),
    ...decided.map(request => ({ kind: 'upgrade_decided' as const, request })),
  ]
}

/** Returns the start of a UTC day about 30 days ago: whole days are sums of the ledger. */
const usedSince = (nowMs: number): number => startOfUtcDay(nowMs - usedMs)

/** Returns the deprecated versions, and those with a sunset in half a year, that are called or pinned. */
function endingVersions(
  { versions, packageTable }: NoticeStores,
  keys: readonly Key[],
  calls: ReadonlyMap<string, number>,
  nowMs: number,
): PartnerNotice[] {
  const withFeeds = keys.filter(key => permissionsOf(key, packageTable).has('feeds'))
  return versions().flatMap(version => {
    const { name, status, deprecatedMs = Number.POSITIVE_INFINITY, sunsetMs: endMs } = version
    const isEnding = endMs !== undefined && endMs > nowMs && endMs < nowMs + sunsetMs
    if (!isEnding && status !== 'deprecated' && deprecatedMs > nowMs) return []
    const pinned = withFeeds.filter(({ feedPins }) => Object.values(feedPins).includes(name))
    const called = calls.get(name) ?? 0
    return called > 0 || pinned.length > 0 ? [{ kind: 'version' as const, version, calls: called, pinned }] : []
  })
}

/** Returns the keys that downloaded feeds in the last 30 days, but not in the last seven. */
async function idleFeeds(
  stores: NoticeStores,
  actor: Actor,
  keys: readonly Key[],
  nowMs: number,
): Promise<readonly PartnerNotice[]> {
  const notices: PartnerNotice[] = []
  const withFeeds = keys.filter(key => permissionsOf(key, stores.packageTable).has('feeds'))
  for (const key of withFeeds.slice(0, maxFeedKeys)) {
    const input = { keyId: key.id, fromMs: usedSince(nowMs), by: ['day', 'operation'] as const, countedOnly: true }
    const report = await reportUsage(stores, actor, input)
    if (isAdminFault(report)) continue
    const days = report.rows.filter(row => row.operation === 'downloadFeedFile').map(({ day }) => String(day))
    const lastDay = days.sort().at(-1)
    if (lastDay !== undefined && Date.parse(lastDay) < nowMs - feedIdleMs - dayMs)
      notices.push({ kind: 'feed_idle', key, lastDay })
  }
  return notices
}
