import type { Actor } from '../../domain/actor.ts'
import { type AdminFault, isAdminFault } from '../../domain/admin-fault.ts'
import { type Key, permissionsOf } from '../../domain/key.ts'
import type { KeyAdmin } from '../../domain/key-stores.ts'
import type { ServedVersion } from '../../domain/lifecycle.ts'
import type { PackageTable } from '../../domain/package.ts'
import type { UpgradeRequest, UpgradeStore } from '../../domain/upgrade.ts'
import type { UsageReport, UsageReports } from '../../domain/usage-report.ts'
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
  {
    partnerId,
    usage,
  }: {
    readonly partnerId: string
    /** Usage of the last 30 days by version and operation. Default: it is read. */
    readonly usage?: UsageReport
  },
): Promise<readonly PartnerNotice[] | AdminFault> {
  const nowMs = stores.clock.nowMs()
  const keys = (await listKeys(stores, actor)).filter(
    key => key.partnerId === partnerId && key.state === 'active' && (key.expiresMs ?? nowMs + 1) > nowMs,
  )
  const input = { partnerId, fromMs: usedSince(nowMs), by: ['version', 'operation'] as const, countedOnly: true }
  const report = usage ?? (await reportUsage(stores, actor, input))
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
    ...(hasDownloads ? await idleFeeds(stores, actor, { partnerId, keys, nowMs }) : []),
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
  { partnerId, keys, nowMs }: { readonly partnerId: string; readonly keys: readonly Key[]; readonly nowMs: number },
): Promise<readonly PartnerNotice[]> {
  const downloads = { operation: 'downloadFeedFile', countedOnly: true } as const
  const recentMs = startOfUtcDay(nowMs - feedIdleMs - 1)
  const recent = await reportUsage(stores, actor, { ...downloads, partnerId, fromMs: recentMs, by: ['key'] })
  if (isAdminFault(recent)) return []
  const active = new Set(recent.rows.map(({ key }) => key))
  const notices: PartnerNotice[] = []
  const idle = keys.filter(key => !active.has(key.id) && permissionsOf(key, stores.packageTable).has('feeds'))
  for (const key of idle.slice(0, maxFeedKeys)) {
    const input = { ...downloads, keyId: key.id, fromMs: usedSince(nowMs), by: ['day'] as const }
    const report = await reportUsage(stores, actor, input)
    if (isAdminFault(report)) continue
    const lastDay = report.rows
      .map(({ day }) => String(day))
      .sort()
      .at(-1)
    if (lastDay !== undefined) notices.push({ kind: 'feed_idle', key, lastDay })
  }
  return notices
}
