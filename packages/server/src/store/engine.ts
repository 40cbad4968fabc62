import type { FolderDefect, FolderPart } from '../domain/data-folder.ts'
import { MissingDataFolder, type ReplacedFile } from '../domain/store-errors.ts'
import type { Engine, EngineDescriptor } from '../domain/stores.ts'
import { type Clock, systemClock } from '../kit/clock.ts'
import { damagedPattern } from './folder/damaged-name.ts'
import * as gate from './folder/gate.ts'
import { inspectFolder } from './folder/inspect.ts'
import type { Layout } from './folder/layout.ts'
import { SqliteEngine } from './sqlite/engine.ts'
import { FailureCounts } from './sqlite/failure-counts.ts'
import { storeNames } from './sqlite/files.ts'
import { createSqliteIdentities } from './sqlite/identity.ts'
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

/**
 * Returns true for a path of a store or lock file of any engine, and of a damaged one that was replaced; a StoreCopy
 * copies the stores.
 */
export const isStoreFile = (path: string): boolean =>
  /\.sqlite(-wal|-shm|-journal)?$/.test(path) || path.split('/').some(name => damagedPattern.test(name))

/**
 * Opens the engine of a descriptor. Code outside this folder accesses stores only through it. Throws the errors of
 * openFolder.
 */
export function openEngine(
  descriptor: EngineDescriptor,
  { create, clock = systemClock, onReplaced = () => {} }: OpenEngineOptions,
): Engine {
  const failures = new FailureCounts(descriptor.failures)
  return new SqliteEngine(openFolder(descriptor, { create }), { clock, failures, onReplaced })
}

/**
 * Checks and completes a data folder, and returns its layout. Throws MissingDataFolder, UnusableDataFolder and
 * NewerSchema.
 */
export const openFolder = ({ folder }: EngineDescriptor, options: { readonly create: boolean }): Layout =>
  gate.openFolder(folder, createSqliteIdentities(folder), options)

/** Recreates the defective ones among `parts` of a data folder, and returns their defects. */
export const recreateParts = (
  { folder }: EngineDescriptor,
  parts: readonly FolderPart[],
  nowMs: number,
): readonly FolderDefect[] => gate.recreateParts(folder, createSqliteIdentities(folder), parts, nowMs)

/** A data folder whose intact parts can be checked. */
export interface OpenedForChecks {
  readonly engine: Engine
  readonly layout: Layout
  readonly defects: readonly FolderDefect[]
}

/**
 * Opens a data folder for checks, even if parts of it are defective; nothing may use the engine that reads those.
 * Throws MissingDataFolder and NewerSchema.
 */
export function openForChecks(
  descriptor: EngineDescriptor,
  onReplaced: (replaced: ReplacedFile) => void,
): OpenedForChecks {
  const { state, defects, layout } = inspectFolder(descriptor.folder, createSqliteIdentities(descriptor.folder))
  if (state === 'absent') throw new MissingDataFolder(descriptor.folder)
  if (defects.length === 0) return { engine: openEngine(descriptor, { create: false, onReplaced }), layout, defects }
  const failures = new FailureCounts(descriptor.failures)
  return { engine: new SqliteEngine(layout, { clock: systemClock, failures, onReplaced }), layout, defects }
}

/** Returns the newest schema version of each store that this release supports. */
export const getSchemaVersions = () => ({ control: controlMigrations.length, data: dataMigrations.length })
