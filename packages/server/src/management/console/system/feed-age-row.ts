import { feedNames } from '../../../domain/feed.ts'
import { hourMs } from '../../../kit/time.ts'
import { listPins } from '../../../usecases/admin/list-pins.ts'
import { listSnapshots } from '../../../usecases/admin/list-snapshots.ts'
import { feedLabels } from '../../../web/feed-labels.ts'
import { formatCount } from '../../../web/parts/number.ts'
import { distance } from '../../../web/parts/time.ts'
import type { ManagementContext } from '../../context.ts'
import type { PageRequest } from '../../pages/page-route.ts'
import { type MeasureRow, toneIf } from './measure-row.ts'

/** Time in which a due build runs, in milliseconds. */
const buildMs = hourMs

/** Explains the ages of the feeds that keys download. Feeds that no key is pinned to are not kept up to date. */
export async function feedAgeRow(
  { admin, work, settings }: ManagementContext,
  { actor, nowMs }: PageRequest,
  startedMs: number,
): Promise<MeasureRow> {
  const setting = (name: string) => settings.find(one => one.setting === name)?.value
  const isScheduled = setting('feeds.schedule') !== 'manual'
  const hours = Number(setting('feeds.deltaEveryHours'))
  const { manifests } = await listSnapshots(work, actor, {})
  const pins = (await listPins(admin, actor)).filter(({ canUseFeeds }) => canUseFeeds).map(({ key }) => key.feedPins)
  const pinned = feedNames.flatMap(feed => [...new Set(pins.map(one => one[feed]))].map(version => ({ feed, version })))
  const ages = pinned.map(({ feed, version }) => {
    const newest = manifests.findLast(one => one.feed === feed && one.version === version)
    return { name: `${feedLabels[feed]} in version ${version}`, builtMs: newest && Date.parse(newest.created_at) }
  })
  const [oldest] = ages.toSorted((a, b) => (a.builtMs ?? 0) - (b.builtMs ?? 0))
  const sinceMs = oldest && (oldest.builtMs ?? startedMs)
  const isLate = isScheduled && sinceMs !== undefined && nowMs - sinceMs > hours * hourMs + buildMs
  return {
    label: 'Age of the feeds',
    value: oldest
      ? `${formatCount(ages.length, 'feed')}, the oldest is ${oldestText(oldest, nowMs)}`
      : 'No key has feeds',
    fine: isScheduled
      ? `Up to ${formatCount(hours, 'hour')} (feeds.deltaEveryHours), and an hour for the build.`
      : 'Any age: feeds.schedule is manual.',
    tone: toneIf(isLate, 'warn'),
  }
}

const oldestText = (
  { name, builtMs }: { readonly name: string; readonly builtMs: number | undefined },
  nowMs: number,
) => (builtMs === undefined ? `${name}, which is not built yet` : `${name}, built ${distance(builtMs, nowMs)}`)
