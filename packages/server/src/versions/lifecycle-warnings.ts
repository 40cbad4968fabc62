import { minNoticeDays } from '../domain/lifecycle.ts'
import { dayMs, toUtcDay } from '../kit/time.ts'
import { getDefaultVersion, isRetired, type Lifecycle } from './lifecycle.ts'
import { type LifecycleIssue, listTimes } from './lifecycle-errors.ts'

/** Returns every warning about valid lifecycle settings at the given time. */
export const listLifecycleWarnings = (
  lifecycle: Lifecycle,
  endedFeedVersions: readonly string[],
  nowMs: number,
): LifecycleIssue[] => [
  ...findLifecycleWarnings(lifecycle),
  ...findContradictions(lifecycle, nowMs),
  ...findEndingDefault(lifecycle, nowMs),
  ...findEndedDefaultFeeds(lifecycle, endedFeedVersions, nowMs),
]

/** Returns a warning for each sunset that is too soon after the deprecation. */
export function findLifecycleWarnings(lifecycle: Lifecycle): LifecycleIssue[] {
  return [...listTimes(lifecycle)].flatMap(([path, { deprecatedMs, sunsetMs }]) => {
    const days = ((sunsetMs ?? Number.POSITIVE_INFINITY) - (deprecatedMs ?? 0)) / dayMs
    return days < minNoticeDays
      ? [
          {
            path,
            text: `the sunset is only ${Math.floor(days)} days after the deprecation; give partners at least ${minNoticeDays} days`,
          },
        ]
      : []
  })
}

/** Returns a warning for each setting that another setting makes ineffective. */
const findContradictions = ({ versions, endpoints }: Lifecycle, nowMs: number): LifecycleIssue[] => [
  ...versions
    .filter(({ status, sunsetMs = nowMs }) => status === 'retired' && sunsetMs > nowMs)
    .map(({ name, sunsetMs }) => ({
      path: `versions.${name}.status`,
      text: `the status retired applies to version ${name} immediately, although its sunset is on ${toUtcDay(sunsetMs!)}`,
    })),
  ...Object.entries(endpoints)
    .filter(([, { successor, deprecatedMs }]) => successor !== undefined && deprecatedMs === undefined)
    .map(([operation]) => ({
      path: `endpoints.${operation}.successor`,
      text: 'the successor is not announced without a `deprecated` date',
    })),
]

/** Returns a warning if requests without a version will have none after a sunset that is set already. */
function findEndingDefault(lifecycle: Lifecycle, nowMs: number): LifecycleIssue[] {
  const stable = lifecycle.versions.filter(entry => entry.status === 'stable' && !isRetired(entry, nowMs))
  const lastMs = Math.max(...stable.map(({ sunsetMs = Number.POSITIVE_INFINITY }) => sunsetMs))
  const last = stable.findLast(({ sunsetMs }) => sunsetMs === lastMs)
  if (!last) return []
  return [
    {
      path: `versions.${last.name}.sunset`,
      text: `no version remains stable after ${toUtcDay(lastMs)}, so requests without a version will then have none; set the status of a later version to stable before that date`,
    },
  ]
}

/** Returns a warning if new keys are pinned to a version whose feeds have ended. */
function findEndedDefaultFeeds(lifecycle: Lifecycle, ended: readonly string[], nowMs: number): LifecycleIssue[] {
  const { name } = getDefaultVersion(lifecycle, nowMs)
  return ended.includes(name)
    ? [
        {
          path: `feeds.endedVersions.${ended.indexOf(name)}`,
          text: `new keys are pinned to version ${name}, the latest stable one, and get no feeds`,
        },
      ]
    : []
}
