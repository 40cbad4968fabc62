import type { LifecycleSettings, LifecycleTimes } from '../domain/lifecycle.ts'
import { momentOf, noticeDays } from '../domain/lifecycle.ts'
import { betaOf } from './beta/index.ts'
import { type RegisteredVersion, registry } from './registry.ts'
import type { Version } from './version.ts'

/** What this installation serves: the registry, and what the operator's config says of it. */
export interface Lifecycle {
  /** Oldest first. */
  readonly versions: readonly RegisteredVersion[]
  readonly endpoints: Readonly<Record<string, LifecycleTimes & { readonly successor?: string }>>
}

/** Puts settings without mistakes over the registry. */
export function resolveLifecycle(
  settings: LifecycleSettings,
  entries: readonly RegisteredVersion[] = registry,
): Lifecycle {
  return {
    versions: entries.map(entry => {
      const { status = entry.status, ...dates } = settings.versions[entry.name] ?? {}
      return { ...entry, status, ...timesOf(dates) }
    }),
    endpoints: Object.fromEntries(
      Object.entries(settings.endpoints).map(([operation, { successor, ...dates }]) => [
        operation,
        { ...timesOf(dates), ...(successor !== undefined && { successor }) },
      ]),
    ),
  }
}

function timesOf({ deprecated, sunset }: { readonly deprecated?: string; readonly sunset?: string }): LifecycleTimes {
  const deprecatedMs = deprecated === undefined ? undefined : momentOf(deprecated)
  const sunsetMs = sunset === undefined ? undefined : momentOf(sunset)
  return { ...(deprecatedMs !== undefined && { deprecatedMs }), ...(sunsetMs !== undefined && { sunsetMs }) }
}

/** Whether a version answers 410: its folder is gone, its status says so, or its sunset has come. */
export const isRetired = (entry: RegisteredVersion, nowMs: number): boolean =>
  entry.version === undefined || entry.status === 'retired' || nowMs >= (entry.sunsetMs ?? Number.POSITIVE_INFINITY)

/** What requests that name no version get: the latest stable one; once all have ended, the last to end. */
export function defaultVersion({ versions }: Lifecycle, nowMs: number): RegisteredVersion {
  const stable = versions.filter(entry => entry.status === 'stable')
  return stable.findLast(entry => !isRetired(entry, nowMs)) ?? stable.at(-1)!
}

/** What a version is to be replaced by: the default, where that is a later one. */
export function successorOf(
  lifecycle: Lifecycle,
  entry: RegisteredVersion,
  nowMs: number,
): RegisteredVersion | undefined {
  const latest = defaultVersion(lifecycle, nowMs)
  return lifecycle.versions.indexOf(latest) > lifecycle.versions.indexOf(entry) ? latest : undefined
}

const betas = new WeakMap<Version, RegisteredVersion>()

/** Beta, as it follows from the default version (SPEC §9.3). */
export function betaVersion(lifecycle: Lifecycle, nowMs: number): RegisteredVersion | undefined {
  const { version: stable } = defaultVersion(lifecycle, nowMs)
  if (!stable) return undefined
  const known = betas.get(stable) ?? ({ name: 'beta', status: 'preview', version: betaOf(stable) } as const)
  betas.set(stable, known)
  return known
}

/** Something in the settings, by its path there, and what is to be said of it. */
export interface LifecycleIssue {
  readonly path: string
  readonly text: string
}

/** Everything in the settings that cannot be meant. */
export function lifecycleErrors(
  settings: LifecycleSettings,
  entries: readonly RegisteredVersion[] = registry,
): LifecycleIssue[] {
  const names = entries.map(entry => entry.name)
  const unknown = Object.keys(settings.versions).filter(name => !names.includes(name))
  const unreal = [...datesOf(settings)].filter(({ text }) => momentOf(text) === undefined)
  const lifecycle = resolveLifecycle(settings, entries)
  const hasDefault = lifecycle.versions.some(entry => entry.version && entry.status === 'stable')
  return [
    ...unknown.map(name => ({
      path: `versions.${name}`,
      text: `there is no version ${name}; there are ${names.join(', ')}`,
    })),
    ...unreal.map(({ path, text }) => ({
      path,
      text: `${text} is no date such as 2027-01-31 or 2027-01-31T12:00:00Z`,
    })),
    ...[...lifecycleTimes(lifecycle)].flatMap(([path, span]) => timesErrors(path, span)),
    ...lifecycle.versions
      .filter(entry => entry.status === 'deprecated' && entry.deprecatedMs === undefined)
      .map(entry => ({
        path: `versions.${entry.name}.status`,
        text: 'deprecated needs a date: set `deprecated` beside it',
      })),
    ...(hasDefault ? [] : [{ path: 'versions', text: 'one version has to be stable: it is the default (R-16)' }]),
  ]
}

/** What can be meant, but should not be: less notice than partners need. */
export function lifecycleWarnings(lifecycle: Lifecycle): LifecycleIssue[] {
  return [...lifecycleTimes(lifecycle)].flatMap(([path, { deprecatedMs, sunsetMs }]) => {
    const days = ((sunsetMs ?? Number.POSITIVE_INFINITY) - (deprecatedMs ?? 0)) / 86_400_000
    return days < noticeDays
      ? [
          {
            path,
            text: `sunset comes ${Math.floor(days)} days after deprecation; give partners at least ${noticeDays}`,
          },
        ]
      : []
  })
}

function* datesOf(settings: LifecycleSettings): Generator<LifecycleIssue> {
  for (const [section, entries] of Object.entries({ versions: settings.versions, endpoints: settings.endpoints }))
    for (const [name, { deprecated, sunset }] of Object.entries(entries))
      for (const [what, text] of Object.entries({ deprecated, sunset }))
        if (text !== undefined) yield { path: `${section}.${name}.${what}`, text }
}

function* lifecycleTimes({ versions, endpoints }: Lifecycle): Generator<[path: string, LifecycleTimes]> {
  for (const entry of versions) yield [`versions.${entry.name}`, entry]
  for (const [operation, span] of Object.entries(endpoints)) yield [`endpoints.${operation}`, span]
}

function timesErrors(path: string, { deprecatedMs, sunsetMs }: LifecycleTimes): LifecycleIssue[] {
  if (sunsetMs === undefined) return []
  if (deprecatedMs === undefined)
    return [{ path: `${path}.sunset`, text: 'a sunset needs a `deprecated` date before it' }]
  return sunsetMs > deprecatedMs ? [] : [{ path: `${path}.sunset`, text: 'must come after `deprecated`' }]
}
