import type { Config } from '../config/load.ts'
import type { Engine } from '../domain/stores.ts'
import { type OpenEngineOptions, openEngine } from '../store/engine.ts'

/** Opens the engine of the configured data folder. */
export const openConfiguredEngine = (config: Config, options: OpenEngineOptions): Engine =>
  openEngine({ kind: 'sqlite', folder: config.data }, options)
