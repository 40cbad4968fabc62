import type { LifecycleSettings, Lifespan } from '../domain/lifecycle.ts'
import { momentOf, noticeDays } from '../domain/lifecycle.ts'
import { betaOf } from './beta/index.ts'
import { type Registered, registry } from './registry.ts'
import type { Version } from './version.ts'

/** What this installation serves: the registry, and what the operator's config says of it. */
export interface Plan {
  /** Oldest first. */
  readonly versions: readonly Registered[]
  readonly endpoints: Readonly<Record<string, Lifespan & { readonly successor?: string }>>
}

/** Puts settings without mistakes over the registry. */
export function planOf(settings: LifecycleSettings, entries: readonly Registered[] = registry): Plan {
  return {
    versions: entries.map(entry => {
      const { status = entry.status, ...dates } = settings.versions[entry.name] ?? {}
      return { ...entry, status, ...lifespan(dates) }
    }),
    endpoints: Object.fromEntries(
      Object.entries(settings.endpoints).map(([operation, { successor, ...dates }]) => [
        operation,
        { ...lifespan(dates), ...(successor !== undefined && { successor }) },
      ]),
    ),
  }
}

function lifespan({ deprecated, sunset }: { readonly deprecated?: string; readonly sunset?: string }): Lifespan {
  const deprecatedMs = deprecated === undefined ? undefined : momentOf(deprecated)
  const sunsetMs = sunset === undefined ? undefined : momentOf(sunset)
  return { ...(deprecatedMs !== undefined && { deprecatedMs }), ...(sunsetMs !== undefined && { sunsetMs }) }
}

/** Whether a version answers 410: its folder is gone, its status says so, or its sunset has come. */
export const isRetired = (entry: Registered, nowMs: number): boolean =>
  entry.version === undefined || entry.status === 'retired' || nowMs >= (entry.sunsetMs ?? Number.POSITIVE_INFINITY)

/** What requests that name no version get: the latest stable one; once all have ended, the last to end. */
export function defaultVersion({ versions }: Plan, nowMs: number): Registered {
  const stable = versions.filter(entry => entry.status === 'stable')
  return stable.findLast(entry => !isRetired(entry, nowMs)) ?? stable.at(-1)!
}

/** What a version is to be replaced by: the default, where that is a later one. */
export function successorOf(plan: Plan, entry: Registered, nowMs: number): Registered | undefined {
  const latest = defaultVersion(plan, nowMs)
  return plan.versions.indexOf(latest) > plan.versions.indexOf(entry) ? latest : undefined
}

const betas = new WeakMap<Version, Registered>()

/** Beta, as it follows from the default version (SPEC §9.3). */
export function betaVersion(plan: Plan, nowMs: number): Registered | undefined {
  const { version: stable } = defaultVersion(plan, nowMs)
  if (!stable) return undefined
  const known = betas.get(stable) ?? ({ name: 'beta', status: 'preview', version: betaOf(stable) } as const)
  betas.set(stable, known)
  return known
}

/** Something in the settings, by its path there, and what is to be said of it. */
export interface Finding {
  readonly path: string
  readonly text: string
}

/** Everything in the settings that cannot be meant. */
export function planMistakes(settings: LifecycleSettings, entries: readonly Registered[] = registry): Finding[] {
  const names = entries.map(entry => entry.name)
  const unknown = Object.keys(settings.versions).filter(name => !names.includes(name))
  const unreal = [...datesOf(settings)].filter(({ text }) => momentOf(text) === undefined)
  const plan = planOf(settings, entries)
  const hasDefault = plan.versions.some(entry => entry.version && entry.status === 'stable')
  return [
    ...unknown.map(name => ({
      path: `versions.${name}`,
      text: `there is no version ${name}; there are ${names.join(', ')}`,
    })),
    ...unreal.map(({ path, text }) => ({
      path,
      text: `${text} is no date such as 2027-01-31 or 2027-01-31T12:00:00Z`,
    })),
    ...[...lifespans(plan)].flatMap(([path, span]) => lifespanMistakes(path, span)),
    ...plan.versions
      .filter(entry => entry.status === 'deprecated' && entry.deprecatedMs === undefined)
      .map(entry => ({
        path: `versions.${entry.name}.status`,
        text: 'deprecated needs a date: set `deprecated` beside it',
      })),
    ...(hasDefault ? [] : [{ path: 'versions', text: 'one version has to be stable: it is the default (R-16)' }]),
  ]
}

/** What can be meant, but should not be: less notice than partners need. */
export function planWarnings(plan: Plan): Finding[] {
  return [...lifespans(plan)].flatMap(([path, { deprecatedMs, sunsetMs }]) => {
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

function* datesOf(settings: LifecycleSettings): Generator<Finding> {
  for (const [section, entries] of Object.entries({ versions: settings.versions, endpoints: settings.endpoints }))
    for (const [name, { deprecated, sunset }] of Object.entries(entries))
      for (const [what, text] of Object.entries({ deprecated, sunset }))
        if (text !== undefined) yield { path: `${section}.${name}.${what}`, text }
}

function* lifespans({ versions, endpoints }: Plan): Generator<[path: string, Lifespan]> {
  for (const entry of versions) yield [`versions.${entry.name}`, entry]
  for (const [operation, span] of Object.entries(endpoints)) yield [`endpoints.${operation}`, span]
}

function lifespanMistakes(path: string, { deprecatedMs, sunsetMs }: Lifespan): Finding[] {
  if (sunsetMs === undefined) return []
  if (deprecatedMs === undefined)
    return [{ path: `${path}.sunset`, text: 'a sunset needs a `deprecated` date before it' }]
  return sunsetMs > deprecatedMs ? [] : [{ path: `${path}.sunset`, text: 'must come after `deprecated`' }]
}
