import type { Engine, EngineDescriptor } from '../domain/stores.ts'
import { type Clock, systemClock } from '../kit/clock.ts'
import { openLayout } from './folder/layout.ts'
import { SqliteEngine } from './sqlite/engine.ts'
import { controlMigrations } from './sqlite/migrations/control.ts'
import { dataMigrations } from './sqlite/migrations/data.ts'

export interface OpenEngineOptions {
  /** Create a missing data folder; otherwise MissingDataFolder is thrown. */
  readonly create: boolean
  readonly clock?: Clock
}

/** Opens the engine that a descriptor names; the only way from outside this folder to a store. */
export const openEngine = ({ folder }: EngineDescriptor, { create, clock = systemClock }: OpenEngineOptions): Engine =>
  new SqliteEngine(openLayout(folder, { create }), clock)

/** Returns the newest schema version of each store that this release knows. */
export const getSchemaVersions = () => ({ control: controlMigrations.length, data: dataMigrations.length })
