import type { LifecycleSettings, LifecycleTimes } from '../domain/lifecycle.ts'
import { parseLifecycleDate } from '../domain/lifecycle.ts'
import { createBeta } from './beta/index.ts'
import { type RegisteredVersion, registry } from './registry.ts'
import type { Version } from './version.ts'

/**
 * The versions and deprecated endpoints of this installation: the registry with the operator's settings applied (R-16,
 *
 */
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

/**
 * Returns the version for requests without a version: the latest stable one, even if all versions are retired.
 */
export function getDefaultVersion({ versions }: Lifecycle, nowMs: number): RegisteredVersion {
  const stable = versions.filter(entry => entry.status === 'stable')
  return stable.findLast(entry => !isRetired(entry, nowMs)) ?? stable.at(-1)!
}

/** Returns the successor of a version: the default version, if it is a later one and has not been retired itself. */
export function findSuccessor(
  lifecycle: Lifecycle,
  entry: RegisteredVersion,
  nowMs: number,
): RegisteredVersion | undefined {
  const latest = getDefaultVersion(lifecycle, nowMs)
  const isLater = lifecycle.versions.indexOf(latest) > lifecycle.versions.indexOf(entry)
  return isLater && !isRetired(latest, nowMs) ? latest : undefined
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
