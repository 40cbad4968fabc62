import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../config/load.ts'
import type { DataWriter } from '../domain/data-stores.ts'
import type { PossibleDuplicates } from '../domain/duplicates.ts'
import { type ImportWait, noWait } from '../domain/importer.ts'
import type { LocationEntry } from '../domain/location.ts'
import type { SharedIndexes } from '../domain/shared-indexes.ts'
import { MissingDataFolder, MissingNodeFolder, StoreError, StoreFailure } from '../domain/store-errors.ts'
import type { Engine } from '../domain/stores.ts'
import { type Clock, systemClock } from '../kit/clock.ts'
import { tokens } from '../kit/tokens.ts'
import { ExactNames } from '../match/exact-names.ts'
import { indexVersion } from '../search/index/stored-file.ts'
import { type Layout, openLayout } from '../store/folder/layout.ts'
import { findBlobs } from './blobs.ts'
import { type BuildProgress, buildIndex, type PassCopies } from './build-index.ts'
import { openConfiguredEngine } from './engine.ts'
import { holdImportLock } from './import-queue.ts'
import { findLazyBlobs } from './lazy-blobs.ts'
import { isPacked, listPackTasks, Packer, type PackTask } from './pack-bodies.ts'
import { findPublicUrl } from './public-url.ts'
import { publishIndex, uploadIndex } from './shared-index.ts'
import { moveOldRejects } from './shared-rejects.ts'

/** Maximum number of changes that a running service applies to its index instead of loading a new one. */
const maxFollowedChanges = 5000

/** Longest silence of an import that builds the index in its only thread, in milliseconds. */
const buildSilenceMs = 3_600_000

/** Dependencies of an import. `close` ends it, and rolls back a dry run. */
export interface Importing {
  readonly writer: DataWriter
  readonly clock: Clock
  /** Default folder of the files with rejected rows; a dry run has none. */
  readonly rejectsFolder: string
  /**
   * Builds the search index, and packed bodies, if the index is missing, or if a service would take longer to follow
   * `changed` changes; not where the worker of a database builds the index. Returns the places that may be one, if it
   * has read them.
   */
  buildIndex(changed: number, progress: BuildProgress): Promise<readonly PossibleDuplicates[]>
  close(): Promise<void>
}

/** Use of the stores by an import. */
export interface ImportStoreOptions {
  readonly dryRun: boolean
  readonly wait?: ImportWait
}

/**
 * Opens the stores for an import; throws LockHeld if another import runs on the same folder and does not end in time. A
 * dry run takes no lock, creates no folder, and rolls each batch back. Without an engine of the caller, an import opens
 * one and closes it at its end: a request that is refused must not create a data folder.
 */
export async function composeImport(
  config: Config,
  { dryRun, wait = noWait }: ImportStoreOptions,
  callersEngine?: Engine,
): Promise<Importing> {
  await using opened = new AsyncDisposableStack()
  if (dryRun) return await composeDryRun(config, opened, callersEngine)
  const engine = callersEngine ?? opened.adopt(openConfiguredEngine(config, { create: true }), close)
  const layout = openLayout(config.data)
  const message = `Another import is running on ${config.data}. Wait until it has ended.`
  const lock = await holdImportLock(engine, message, systemClock, wait)
  opened.defer(() => lock.release())
  await moveRejects(config, engine, layout)
  const writer = opened.adopt(await engine.openWriter({ dryRun, lock }), close)
  const parts = opened.move()
  return {
    writer,
    clock: systemClock,
    rejectsFolder: layout.rejects,
    buildIndex: async (changed, progress) => {
      if (changed <= maxFollowedChanges && existsSync(layout.index)) return []
      await using building = await startBuild(config, engine, layout.index)
      if (!building) return []
      const nowMs = systemClock.nowMs()
      const copies: PassCopies = {
        create: (source, places) => {
          const tasks = listPacksAtImport(config, layout, places, nowMs)
          return tasks.length === 0 ? undefined : new Packer(tasks, source, nowMs)
        },
        onFailure: warnOfPacking,
      }
      const names = new ExactNames(tokens)
      const onPlace = (place: LocationEntry) => names.add(place.id, place.source, place.location())
      const { partPlaces } = config.search
      await buildIndex(engine, layout.index, { nowMs, partPlaces, progress, onPlace, copies })
      await building.publish()
      return names.report()
    },
    close: () => parts.disposeAsync(),
  }
}

/** Opens the stores for a dry run: an empty one in a temporary folder, if there is no data yet. */
async function composeDryRun(
  config: Config,
  opened: AsyncDisposableStack,
  callersEngine: Engine | undefined,
): Promise<Importing> {
  const engine = callersEngine ?? openForDryRun(config, opened)
  const writer = opened.adopt(await engine.openWriter({ dryRun: true }), close)
  const parts = opened.move()
  return {
    writer,
    clock: systemClock,
    rejectsFolder: '',
    buildIndex: async () => [],
    close: () => parts.disposeAsync(),
  }
}

function openForDryRun(config: Config, opened: AsyncDisposableStack): Engine {
  try {
    return opened.adopt(openConfiguredEngine(config, { create: false }), close)
  } catch (error) {
    if (!(error instanceof MissingDataFolder) || error instanceof MissingNodeFolder) throw error
    const folder = mkdtempSync(join(tmpdir(), 'periplus-dry-run-'))
    opened.defer(() => rmSync(folder, { recursive: true, force: true }))
    return opened.adopt(openConfiguredEngine({ ...config, data: folder }, { create: true }), close)
  }
}

const close = (part: { close(): Promise<void> }): Promise<void> => part.close()

/** Moves rejected rows of earlier imports to the blobs, on a machine without a service, too. */
async function moveRejects(config: Config, { jobs }: Engine, { rejects: folder }: Layout): Promise<void> {
  const blobs = findLazyBlobs(config)
  try {
    if (blobs) await moveOldRejects({ folder, blobs, jobs }, systemClock.nowMs())
  } catch (error) {
    // An import does not need the blobs; the next one moves the rows.
    if (!(error instanceof StoreError)) throw error
  }
}

/** A build of the index by an import. */
interface ImportedIndex extends AsyncDisposable {
  /** Publishes the built index, if nodes share it. */
  publish(): Promise<void>
}

/**
 * Starts a build of the index. Returns undefined where the worker of a database, or another process, builds the index
 * that nodes share.
 */
async function startBuild(
  config: Config,
  { indexes, processes }: Engine,
  path: string,
): Promise<ImportedIndex | undefined> {
  if (!indexes || config.blobs === undefined) return { publish: async () => {}, [Symbol.asyncDispose]: async () => {} }
  const lock = (await processes!.worker()) ? undefined : await indexes.lock(indexVersion, buildSilenceMs)
  return lock && { publish: () => publishBuilt(config, indexes, path), [Symbol.asyncDispose]: () => lock.release() }
}

/** Publishes the index for the nodes. If that fails, a running service does. */
async function publishBuilt(config: Config, indexes: SharedIndexes, path: string): Promise<void> {
  try {
    const blobs = (await findBlobs(config))!
    const built = await uploadIndex(blobs, path, await indexes.newest(indexVersion))
    if (built) await publishIndex(indexes, blobs, built)
  } catch (error) {
    if (!(error instanceof StoreFailure)) throw error
    process.stderr.write(`The search index could not be shared: ${error.message} A running service tries again.\n`)
  }
}

function warnOfPacking(error: unknown): void {
  const { code } = error as NodeJS.ErrnoException
  const reason = code === undefined ? '' : ` (${code})`
  process.stderr.write(
    `The file of ready bodies could not be written${reason}. The import is not affected; a running service tries again.\n`,
  )
}

/** Returns the packed files to build; none if the address of the service is not known before it listens. */
function listPacksAtImport(config: Config, layout: Layout, places: number, nowMs: number): readonly PackTask[] {
  const publicUrl = findPublicUrl(config, layout)
  return publicUrl !== undefined && isPacked(config, places) ? listPackTasks(config, layout, publicUrl, nowMs) : []
}
