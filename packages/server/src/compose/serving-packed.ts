import { relative } from 'node:path'
import type { Config } from '../config/load.ts'
import type { Id } from '../domain/id.ts'
import type { Engine } from '../domain/stores.ts'
import type { ReadyBodies } from '../http/partner/ready-bodies.ts'
import { type MadeForms, RenderedBody } from '../http/wire/rendered.ts'
import type { Clock } from '../kit/clock.ts'
import type { Logger } from '../kit/log.ts'
import type { PackedFile } from '../packed/packed-file.ts'
import { PackedKeeper } from '../packed/packed-keeper.ts'
import type { Layout } from '../store/folder/layout.ts'
import { loadPackedInThread, packInThread } from './index-thread.ts'
import { isPacked, listPackTasks, type PackTask } from './pack-bodies.ts'

/** The packed bodies of a running service, by version. */
export interface ServingPacked extends ReadyBodies {
  /** Loads the files, or has them built. Call it when the address of the service is known. */
  start(publicUrl: string): void
  readonly keepers: ReadonlyMap<string, PackedKeeper>
  /** Returns the number of bodies that were found since the start. */
  countHits(): number
  close(): Promise<void>
}

export interface PackedParts {
  readonly engine: Engine
  readonly layout: Layout
  readonly clock: Clock
  readonly log: Logger
  /** Returns the number of places; undefined while it is not known. */
  readonly countPlaces: () => number | undefined
  /** Called when another file of a version becomes the current one; see PackedSources. */
  readonly onReplaced?: ((version: string, file: PackedFile | undefined) => Promise<void>) | undefined
}

/** Creates the packed bodies of a service; `find` returns undefined before `start`. */
export function createPacked(config: Config, parts: PackedParts): ServingPacked {
  const { engine, layout, clock, log } = parts
  const keepers = new Map<string, PackedKeeper>()
  const followAll = async () => {
    await Promise.all([...keepers.values()].map(keeper => keeper.follow()))
  }
  const failed = (error: unknown) => log.warn({ err: error }, 'Could not read the changes of places; will retry.')
  let stopWatch = async () => {}
  let hits = 0
  const find = (id: Id, name: string): RenderedBody | undefined => {
    const file = keepers.get(name)?.current
    return file && findBody(file, id)
  }
  return {
    keepers,
    countHits: () => hits,
    start: publicUrl => {
      if (config.cache.packed === 'never') return
      for (const task of listPackTasks(config, layout, publicUrl, clock.nowMs()))
        keepers.set(task.origin.version, startKeeper(config, task, parts))
      const watch = engine.watch('data', { changed: followAll, failed })
      stopWatch = () => watch.stop()
    },
    find: (id, version) => {
      const found = find(id, version.name)
      if (found) hits++
      return found
    },
    close: async () => {
      await stopWatch()
      await Promise.all([...keepers.values()].map(keeper => keeper.close()))
    },
  }
}

/** Returns the body of a location in a packed file; undefined if the file has no current one. */
export function findBody(file: PackedFile, id: Id): RenderedBody | undefined {
  const place = file.find(id)
  const body = place < 0 ? undefined : file.read(place, 'identity')
  return body && new RenderedBody(body, { made: new PackedForms(file, place) })
}

/** The forms of a packed body. */
class PackedForms implements MadeForms {
  readonly #file: PackedFile
  readonly #place: number

  constructor(file: PackedFile, place: number) {
    this.#file = file
    this.#place = place
  }

  etag(): string {
    return this.#file.etag(this.#place)
  }

  writeEtag(target: Buffer, at: number): void {
    this.#file.writeEtag(this.#place, target, at)
  }

  readCoded(coding: 'br' | 'gzip'): Buffer | undefined {
    return this.#file.read(this.#place, coding)
  }
}

function startKeeper(config: Config, task: PackTask, parts: PackedParts): PackedKeeper {
  const { engine, layout, clock, log, countPlaces, onReplaced } = parts
  const { version } = task.origin
  const name = relative(layout.root, task.path).replaceAll('\\', '/')
  const memoryBytes = config.cache.packedMemoryMb * 1024 * 1024
  return new PackedKeeper({
    path: task.path,
    isWanted: () => {
      const places = countPlaces()
      return places === undefined ? undefined : isPacked(config, places)
    },
    load: (file, signal) => loadPackedInThread(engine.descriptor, { file, origin: task.origin, memoryBytes }, signal),
    build: signal => packInThread(engine.descriptor, task, signal),
    changesAfter: (seq, limit) => engine.changes.after(seq, limit),
    onReplaced: onReplaced && (file => onReplaced(version, file)),
    nowMs: () => clock.monotonicUs() / 1000,
    onUnusable: reason => log.info({ file: name }, `${name} ${reason}. It is built again in the background.`),
    onError: (error, retryMs) =>
      log.warn({ err: error }, `Could not load or build ${name}; will retry in ${retryMs / 1000} s.`),
  })
}
