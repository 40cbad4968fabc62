import { existsSync } from 'node:fs'
import type { FolderDefect, FolderPart } from '../domain/data-folder.ts'
import {
  MissingDataFolder,
  MissingNodeFolder,
  type ReplacedFile,
  StoreError,
  UnusableDataFolder,
} from '../domain/store-errors.ts'
import type { Engine, EngineDescriptor } from '../domain/stores.ts'
import { type Clock, systemClock } from '../kit/clock.ts'
import { DurationHistogram } from '../kit/histogram.ts'
import { FailureCounts } from './failure-counts.ts'
import { requireArrived } from './folder/arrival.ts'
import { damagedPattern } from './folder/damaged-name.ts'
import * as gate from './folder/gate.ts'
import type { IdentityStores } from './folder/identity.ts'
import { inspectFolder } from './folder/inspect.ts'
import { createJobFolders } from './folder/job-folders.ts'
import { firstGeneration, type Layout, locateLayout } from './folder/layout.ts'
import { readMoved, requireUnmoved } from './folder/moved.ts'
import {
  changeNode,
  confirmInstance,
  createNodeFolder,
  createNodeIdentities,
  isNodeFolder,
  loadNode,
  storeNextInstance,
} from './folder/node-identity.ts'
import { readPepper } from './folder/pepper.ts'
import { countedFailures, PostgresEngine, statementBoundsS } from './postgres/engine.ts'
import { isOutage } from './postgres/errors.ts'
import type { NodeFolder } from './postgres/node.ts'
import { createReadChoice } from './postgres/read-servers.ts'
import { SqliteEngine } from './sqlite/engine.ts'
import { countedFiles, getSqliteFiles, storeNames } from './sqlite/files.ts'
import { createSqliteIdentities } from './sqlite/identity.ts'
import { controlMigrations } from './sqlite/migrations/control.ts'
import { dataMigrations } from './sqlite/migrations/data.ts'

export { createReadChoice, isOutage, storeNames }

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
  return engineOf(descriptor, openFolder(descriptor, { create }), clock, onReplaced)
}

function engineOf(
  descriptor: EngineDescriptor,
  layout: Layout,
  clock: Clock,
  onReplaced: (replaced: ReplacedFile) => void,
): Engine {
  if (descriptor.kind === 'sqlite') {
    const failures = new FailureCounts(countedFiles, descriptor.failures)
    return new SqliteEngine(layout, { clock, failures, onReplaced })
  }
  const failures = new FailureCounts(countedFailures, descriptor.failures)
  const stores = {
    jobFolders: createJobFolders(layout.jobs),
  }
  return new PostgresEngine({
    url: descriptor.url,
    waiting: descriptor.waiting,
    ...(descriptor.replicas && { replicas: descriptor.replicas }),
    folder: nodeFolderOf(layout),
    stores,
    clock,
    failures,
    statements: new DurationHistogram(statementBoundsS, descriptor.statements),
  })
}

function nodeFolderOf({ root, pepper: file }: Layout): NodeFolder {
  const { folderId: node, database, hasDroppedFiles = false, instance: known } = loadNode(root)
  let instance = known
  const pepper = readPepper(file)
  if (pepper.state !== 'intact')
    throw new UnusableDataFolder(root, [{ part: 'pepper', file: 'pepper', kind: pepper.state }])
  const claim = (id: string) => changeNode(root, { database: id, hasDroppedFiles: false })
  return {
    root,
    node,
    pepper: pepper.secret,
    pepperCheck: pepper.check,
    database,
    hasDroppedFiles,
    claim,
    get instance() {
      return instance
    },
    nextInstance: () => storeNextInstance(root),
    confirmInstance: registered => {
      instance = registered
      confirmInstance(root, registered)
    },
  }
}

/** Returns the stores of a folder as the gate sees them. Throws StoreError if another engine has made the folder. */
function identitiesOf({ kind, folder }: EngineDescriptor): IdentityStores {
  requireArrived(folder)
  if (kind === 'postgres') {
    const hasStores = existsSync(getSqliteFiles(locateLayout(folder, firstGeneration)).control)
    if (hasStores && readMoved(folder))
      throw new StoreError(`The move of ${folder} to a database is not complete. Run periplus migrate on it again.`)
    if (hasStores)
      throw new StoreError(`The folder ${folder} has stores of its own. Use another folder for a node of a database.`)
    return createNodeIdentities(folder)
  }
  requireUnmoved(folder)
  if (isNodeFolder(folder))
    throw new StoreError(`The folder ${folder} belongs to a node with a database. Set the setting store to its URL.`)
  return createSqliteIdentities(folder)
}

/**
 * Checks and completes a data folder, and returns its layout. Throws MissingDataFolder, UnusableDataFolder and
 * NewerSchema.
 */
export function openFolder(descriptor: EngineDescriptor, options: { readonly create: boolean }): Layout {
  const { folder } = descriptor
  const identities = identitiesOf(descriptor)
  if (descriptor.kind === 'sqlite') return gate.openFolder(folder, identities, options)
  if (descriptor.pepperFile) createNodeFolder(folder, descriptor.pepperFile)
  try {
    return gate.openFolder(folder, identities, options)
  } catch (error) {
    throw error instanceof MissingDataFolder ? new MissingNodeFolder(folder) : error
  }
}

/** Recreates the defective ones among `parts` of a data folder, and returns their defects. */
export const recreateParts = (
  descriptor: EngineDescriptor,
  parts: readonly FolderPart[],
  nowMs: number,
): readonly FolderDefect[] => gate.recreateParts(descriptor.folder, identitiesOf(descriptor), parts, nowMs)

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
  const { folder } = descriptor
  const { state, defects, layout } = inspectFolder(folder, identitiesOf(descriptor))
  if (state === 'absent') throw new MissingDataFolder(folder)
  if (defects.length === 0) return { engine: openEngine(descriptor, { create: false, onReplaced }), layout, defects }
  return { engine: engineOf(descriptor, layout, systemClock, onReplaced), layout, defects }
}

/** Returns the newest schema version of each store that this release supports. */
export const getSchemaVersions = () => ({ control: controlMigrations.length, data: dataMigrations.length })
