import type { ReplacedFile } from '../domain/store-errors.ts'
import type { Engine, EngineDescriptor } from '../domain/stores.ts'
import { type Clock, systemClock } from '../kit/clock.ts'
import { damagedPattern } from './folder/damaged-name.ts'
import { openLayout } from './folder/layout.ts'
import { SqliteEngine } from './sqlite/engine.ts'
import { FailureCounts } from './sqlite/failure-counts.ts'
import { storeNames } from './sqlite/files.ts'
import { controlMigrations } from './sqlite/migrations/control.ts'
import { dataMigrations } from './sqlite/migrations/data.ts'

export { storeNames }

export interface OpenEngineOptions {
  /** Creates a missing data folder; if false, MissingDataFolder is thrown. */
  readonly create: boolean
  readonly clock?: Clock
  /** Called after a damaged lock file or file of downloads was replaced. */
  readonly onReplaced?: (replaced: ReplacedFile) => void
}

/** Returns true for a path of a store or lock file of any engine, and of a damaged one that was replaced; a StoreCopy copies the stores. */
export const isStoreFile = (path: string): boolean =>
  /\.sqlite(-wal|-shm|-journal)?$/.test(path) || path.split('/').some(name => damagedPattern.test(name))

/** Opens the engine of a descriptor. Code outside this folder accesses stores only through it. */
export const openEngine = (
  { folder, failures }: EngineDescriptor,
  { create, clock = systemClock, onReplaced = () => {} }: OpenEngineOptions,
): Engine =>
  new SqliteEngine(openLayout(folder, { create }), { clock, failures: new FailureCounts(failures), onReplaced })

/** Returns the newest schema version of each store that this release supports. */
export const getSchemaVersions = () => ({ control: controlMigrations.length, data: dataMigrations.length })
