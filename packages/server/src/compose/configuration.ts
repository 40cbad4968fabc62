import { type Config, type LoadedConfig, type LoadOptions, loadConfig } from '../config/load.ts'
import type { ConfigStatus } from '../domain/config-status.ts'
import { systemClock } from '../kit/clock.ts'
import {
  findLifecycleErrors,
  findLifecycleWarnings,
  getDefaultVersion,
  resolveLifecycle,
} from '../versions/lifecycle.ts'

/** Loads the configuration and validates its settings of versions and endpoints. Throws InvalidConfig. */
export const loadCheckedConfig = (options: Omit<LoadOptions, 'check'>): LoadedConfig =>
  loadConfig({ ...options, check: findLifecycleErrors })

/** Returns the warnings about a valid configuration, and its default version. */
export function configStatus(config: Config): ConfigStatus {
  const lifecycle = resolveLifecycle(config)
  return {
    warnings: findLifecycleWarnings(lifecycle),
    defaultVersion: getDefaultVersion(lifecycle, systemClock.nowMs()).name,
  }
}
