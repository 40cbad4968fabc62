import { type LifecycleSettings, type LifecycleTimes, parseLifecycleDate } from '../domain/lifecycle.ts'
import { toUtcDay } from '../kit/time.ts'
import { isRetired, type Lifecycle, resolveLifecycle } from './lifecycle.ts'
import { type RegisteredVersion, registry } from './registry.ts'

/** A problem in the settings: the dotted path of the setting and a message about it. */
export interface LifecycleIssue {
  readonly path: string
  readonly text: string
}

/** Returns every error in the lifecycle settings that does not depend on the time. */
export function findLifecycleErrors(
  settings: LifecycleSettings,
  entries: readonly RegisteredVersion[] = registry,
): LifecycleIssue[] {
  const names = entries.map(entry => entry.name)
  const unknown = Object.keys(settings.versions).filter(name => !names.includes(name))
  const invalidDates = [...listDates(settings)].filter(({ text }) => parseLifecycleDate(text) === undefined)
  const lifecycle = resolveLifecycle(settings, entries)
  return [
    ...unknown.map(name => ({ path: `versions.${name}`, text: describeUnknownVersion(name, entries) })),
    ...invalidDates.map(({ path, text }) => ({
      path,
      text: `${text} is not a date such as 2027-01-31 or 2027-01-31T12:00:00Z`,
    })),
    ...[...listTimes(lifecycle)].flatMap(([path, span]) => findSunsetErrors(path, span)),
    ...lifecycle.versions
      .filter(entry => entry.status === 'deprecated' && entry.deprecatedMs === undefined)
      .map(entry => ({
        path: `versions.${entry.name}.status`,
        text: 'the status deprecated needs a date: set `deprecated` as well',
      })),
    ...findRevivedVersions(lifecycle, entries),
    ...findMissingStableVersion(lifecycle, entries),
  ]
}

/**
 * Returns an error if every stable version is retired at the given time: requests without a version would have none
 * . The lack of any stable version is one of `findLifecycleErrors`.
 */
export function findEndedDefault({ versions }: Lifecycle, nowMs: number): LifecycleIssue[] {
  const stable = versions.filter(entry => entry.version && entry.status === 'stable')
  const latest = stable.at(-1)
  if (latest?.sunsetMs === undefined || stable.some(entry => !isRetired(entry, nowMs))) return []
  return [
    {
      path: `versions.${latest.name}.sunset`,
      text: `version ${latest.name} was retired on ${toUtcDay(latest.sunsetMs)} and no other version is stable, so requests without a version have none; set the status of a later version to stable, or remove the sunset`,
    },
  ]
}

/** Returns an error for each version in `feeds.endedVersions` that does not exist. */
export const findEndedFeedErrors = (
  endedVersions: unknown,
  entries: readonly RegisteredVersion[] = registry,
): LifecycleIssue[] =>
  (Array.isArray(endedVersions) ? endedVersions : []).flatMap((name: unknown, i) =>
    typeof name !== 'string' || entries.some(entry => entry.name === name)
      ? []
      : [{ path: `feeds.endedVersions.${i}`, text: describeUnknownVersion(name, entries) }],
  )

const describeUnknownVersion = (name: string, entries: readonly RegisteredVersion[]): string =>
  `version ${name} does not exist; the versions are ${entries.map(entry => entry.name).join(', ')}`

/**
 * Returns an error for each sunset that the operator postpones although the release has retired the version (SPEC
 * §9.1).
 */
const findRevivedVersions = ({ versions }: Lifecycle, entries: readonly RegisteredVersion[]): LifecycleIssue[] =>
  entries.flatMap(({ name, sunsetMs }, i) =>
    sunsetMs === undefined || versions[i]!.sunsetMs! <= sunsetMs
      ? []
      : [
          {
            path: `versions.${name}.sunset`,
            text: `version ${name} was retired on ${toUtcDay(sunsetMs)} in every installation; remove this date`,
          },
        ],
  )

/** Returns an error if no version is stable, at the setting of the latest version that would be stable without it. */
function findMissingStableVersion({ versions }: Lifecycle, entries: readonly RegisteredVersion[]): LifecycleIssue[] {
  if (versions.some(entry => entry.version && entry.status === 'stable')) return []
  const demoted = entries.findLast(entry => entry.version && entry.status === 'stable')
  return [
    {
      path: demoted ? `versions.${demoted.name}.status` : 'versions',
      text: 'at least one version must be stable; the latest stable one is the default',
    },
  ]
}

function* listDates(settings: LifecycleSettings): Generator<LifecycleIssue> {
  for (const [section, entries] of Object.entries({ versions: settings.versions, endpoints: settings.endpoints }))
    for (const [name, { deprecated, sunset }] of Object.entries(entries))
      for (const [what, text] of Object.entries({ deprecated, sunset }))
        if (text !== undefined) yield { path: `${section}.${name}.${what}`, text }
}

/** Yields the times of all versions and endpoints, with the paths of their settings. */
export function* listTimes({ versions, endpoints }: Lifecycle): Generator<[path: string, LifecycleTimes]> {
  for (const entry of versions) yield [`versions.${entry.name}`, entry]
  for (const [operation, span] of Object.entries(endpoints)) yield [`endpoints.${operation}`, span]
}

function findSunsetErrors(path: string, { deprecatedMs, sunsetMs }: LifecycleTimes): LifecycleIssue[] {
  if (sunsetMs === undefined) return []
  if (deprecatedMs === undefined)
    return [{ path: `${path}.sunset`, text: 'a sunset requires an earlier `deprecated` date' }]
  return sunsetMs > deprecatedMs ? [] : [{ path: `${path}.sunset`, text: 'must come after `deprecated`' }]
}
