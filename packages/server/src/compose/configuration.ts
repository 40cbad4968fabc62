import { findCategoryMapErrors, findExportDateErrors, findMissingSettings } from '../config/dependent-settings.ts'
import { type Config, type LoadedConfig, type LoadOptions, loadConfig } from '../config/load.ts'
import { listSettingPaths } from '../config/setting.ts'
import { findSiteErrors } from '../config/site-errors.ts'
import { findBlobErrors, findShippingErrors, findStoreErrors, redactPassword } from '../config/store-errors.ts'
import { findSyncErrors } from '../config/sync-errors.ts'
import type { ConfigStatus } from '../domain/config-status.ts'
import { systemClock } from '../kit/clock.ts'
import type { EffectiveSetting } from '../resources/config.ts'
import { getDefaultVersion, resolveLifecycle } from '../versions/lifecycle.ts'
import { findEndedDefault, findEndedFeedErrors, findLifecycleErrors } from '../versions/lifecycle-errors.ts'
import { listLifecycleWarnings } from '../versions/lifecycle-warnings.ts'
import { findSharedLimitErrors } from './shared-limit-settings.ts'

type CheckedOptions = Omit<LoadOptions, 'check'>

/** Returns the errors in the settings of versions, endpoints and feeds that do not depend on the time. */
export const findConfigErrors: NonNullable<LoadOptions['check']> = config => [
  ...findLifecycleErrors(config),
  ...findEndedFeedErrors(config.feeds?.endedVersions),
  ...findMissingSettings(config),
  ...findExportDateErrors(config),
  ...findCategoryMapErrors(config),
  ...findSiteErrors(config),
  ...findStoreErrors(config),
  ...findShippingErrors(config),
  ...findSharedLimitErrors(config),
  ...findBlobErrors(config),
  ...findSyncErrors(config),
]

/** Loads the configuration and validates its settings of versions, endpoints and feeds. Throws InvalidConfig. */
export const loadCheckedConfig = (options: CheckedOptions): LoadedConfig =>
  loadConfig({ ...options, check: findConfigErrors })

/**
 * Loads the configuration of a service, which requires a version that is stable now. Other commands do not: a
 * backup must not fail because a version is retired. Throws InvalidConfig.
 */
export const loadServiceConfig = (options: CheckedOptions): LoadedConfig =>
  loadConfig({
    ...options,
    check: config => [...findConfigErrors(config), ...findEndedDefault(resolveLifecycle(config), systemClock.nowMs())],
  })

/** Returns the warnings about a valid configuration, and its default version. */
export function configStatus(config: Config, nowMs = systemClock.nowMs()): ConfigStatus {
  const lifecycle = resolveLifecycle(config)
  return {
    warnings: listLifecycleWarnings(lifecycle, config.feeds.endedVersions, nowMs),
    defaultVersion: getDefaultVersion(lifecycle, nowMs).name,
  }
}

/** Returns all settings with value and origin. Passwords in URLs are left out. */
export const listSettings = ({ config, sources }: LoadedConfig): EffectiveSetting[] =>
  listSettingPaths().map(path => ({
    setting: path,
    value: withoutPassword(valueAt(config, path)),
    source: sources.get(path) ?? 'default',
  }))

const withoutPassword = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutPassword)
  return typeof value === 'string' ? redactPassword(value) : value
}

const valueAt = (tree: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((node, name) => (node as Record<string, unknown> | undefined)?.[name], tree)
