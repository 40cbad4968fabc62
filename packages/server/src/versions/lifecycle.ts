import type { LifecycleSettings, LifecycleTimes } from '../domain/lifecycle.ts'
import { minNoticeDays, parseLifecycleDate } from '../domain/lifecycle.ts'
import { createBeta } from './beta/index.ts'
import { type RegisteredVersion, registry } from './registry.ts'
import type { Version } from './version.ts'

/** The versions and deprecated endpoints of this installation: the registry with the operator's settings applied. */
export interface Lifecycle {
  /** Oldest first. */
  readonly versions: readonly RegisteredVersion[]
  readonly endpoints: Readonly<Record<string, LifecycleTimes & { readonly successor?: string }>>
}

/** Applies lifecycle settings to the registry. The settings must have passed `findLifecycleErrors`. */
export function resolveLifecycle(
  settings: LifecycleSettings,
  entries: readonly RegisteredVersion[] = registry,
): Lifecycle {
  return {
    versions: entries.map(entry => {
      const { status = entry.status, ...dates } = settings.versions[entry.name] ?? {}
      return { ...entry, status, ...parseTimes(dates) }
    }),
    endpoints: Object.fromEntries(
      Object.entries(settings.endpoints).map(([operation, { successor, ...dates }]) => [
        operation,
        { ...parseTimes(dates), ...(successor !== undefined && { successor }) },
      ]),
    ),
  }
}

function parseTimes({
  deprecated,
  sunset,
}: {
  readonly deprecated?: string
  readonly sunset?: string
}): LifecycleTimes {
  const deprecatedMs = deprecated === undefined ? undefined : parseLifecycleDate(deprecated)
  const sunsetMs = sunset === undefined ? undefined : parseLifecycleDate(sunset)
  return { ...(deprecatedMs !== undefined && { deprecatedMs }), ...(sunsetMs !== undefined && { sunsetMs }) }
}

/** Returns true for a version that returns 410: deleted, retired by status, or past its sunset. */
export const isRetired = (entry: RegisteredVersion, nowMs: number): boolean =>
  entry.version === undefined || entry.status === 'retired' || nowMs >= (entry.sunsetMs ?? Number.POSITIVE_INFINITY)

/** Returns the version for requests without a version: the latest stable one, even if all versions are retired. */
export function getDefaultVersion({ versions }: Lifecycle, nowMs: number): RegisteredVersion {
  const stable = versions.filter(entry => entry.status === 'stable')
  return stable.findLast(entry => !isRetired(entry, nowMs)) ?? stable.at(-1)!
}

/** Returns the successor of a version: the default version, if it is a later one. */
export function findSuccessor(
  lifecycle: Lifecycle,
  entry: RegisteredVersion,
  nowMs: number,
): RegisteredVersion | undefined {
  const latest = getDefaultVersion(lifecycle, nowMs)
  return lifecycle.versions.indexOf(latest) > lifecycle.versions.indexOf(entry) ? latest : undefined
}

const betas = new WeakMap<Version, RegisteredVersion>()

/** Returns beta, which extends the default version (SPEC §9.3); undefined if the default version has been deleted. */
export function getBetaVersion(lifecycle: Lifecycle, nowMs: number): RegisteredVersion | undefined {
  const { version: stable } = getDefaultVersion(lifecycle, nowMs)
  if (!stable) return undefined
  const beta = betas.get(stable) ?? ({ name: 'beta', status: 'preview', version: createBeta(stable) } as const)
  betas.set(stable, beta)
  return beta
}

/** A problem in the settings: the dotted path of the setting and a message about it. */
export interface LifecycleIssue {
  readonly path: string
  readonly text: string
}

/** Returns every error in the lifecycle settings. */
export function findLifecycleErrors(
  settings: LifecycleSettings,
  entries: readonly RegisteredVersion[] = registry,
): LifecycleIssue[] {
  const names = entries.map(entry => entry.name)
  const unknown = Object.keys(settings.versions).filter(name => !names.includes(name))
  const invalidDates = [...listDates(settings)].filter(({ text }) => parseLifecycleDate(text) === undefined)
  const lifecycle = resolveLifecycle(settings, entries)
  const hasDefault = lifecycle.versions.some(entry => entry.version && entry.status === 'stable')
  return [
    ...unknown.map(name => ({
      path: `versions.${name}`,
      text: `version ${name} does not exist; the versions are ${names.join(', ')}`,
    })),
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
    ...(hasDefault
      ? []
      : [
          {
            path: 'versions',
            text: 'at least one version must be stable; the latest stable one is the default (R-16)',
          },
        ]),
  ]
}

/** Returns a warning for each sunset that is too soon after the deprecation. */
export function findLifecycleWarnings(lifecycle: Lifecycle): LifecycleIssue[] {
  return [...listTimes(lifecycle)].flatMap(([path, { deprecatedMs, sunsetMs }]) => {
    const days = ((sunsetMs ?? Number.POSITIVE_INFINITY) - (deprecatedMs ?? 0)) / 86_400_000
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

function* listDates(settings: LifecycleSettings): Generator<LifecycleIssue> {
  for (const [section, entries] of Object.entries({ versions: settings.versions, endpoints: settings.endpoints }))
    for (const [name, { deprecated, sunset }] of Object.entries(entries))
      for (const [what, text] of Object.entries({ deprecated, sunset }))
        if (text !== undefined) yield { path: `${section}.${name}.${what}`, text }
}

function* listTimes({ versions, endpoints }: Lifecycle): Generator<[path: string, LifecycleTimes]> {
  for (const entry of versions) yield [`versions.${entry.name}`, entry]
  for (const [operation, span] of Object.entries(endpoints)) yield [`endpoints.${operation}`, span]
}

function findSunsetErrors(path: string, { deprecatedMs, sunsetMs }: LifecycleTimes): LifecycleIssue[] {
  if (sunsetMs === undefined) return []
  if (deprecatedMs === undefined)
    return [{ path: `${path}.sunset`, text: 'a sunset requires an earlier `deprecated` date' }]
  return sunsetMs > deprecatedMs ? [] : [{ path: `${path}.sunset`, text: 'must come after `deprecated`' }]
}
