import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Config } from '../config/load.ts'
import type { FeedSource } from '../domain/feed-stores.ts'
import type { LocationEntry } from '../domain/location.ts'
import type { Engine } from '../domain/stores.ts'
import { LocationRenderer } from '../http/partner/render.ts'
import { minCodedBytes } from '../http/wire/coding.ts'
import { compress } from '../http/wire/rendered.ts'
import { packageVersion } from '../kit/bundled.ts'
import type { PackedOrigin } from '../packed/format.ts'
import { PackedWriter } from '../packed/writer.ts'
import { type Layout, locatePacked } from '../store/folder/layout.ts'
import { isRetired, resolveLifecycle } from '../versions/lifecycle.ts'
import { registry } from '../versions/registry.ts'
import type { PassWriter } from './build-index.ts'
import { withFeedSource } from './feed-folder.ts'

/** A packed file to build. */
export interface PackTask {
  readonly path: string
  readonly origin: PackedOrigin
}

/**
 * Returns the packed files of a service: one for each stable version. The bodies of other versions are requested
 * rarely.
 */
export const listPackTasks = (config: Config, layout: Layout, publicUrl: string, nowMs: number): PackTask[] =>
  resolveLifecycle(config)
    .versions.filter(entry => entry.status === 'stable' && !isRetired(entry, nowMs))
    .map(({ name }) => ({
      path: locatePacked(layout, name),
      origin: { version: name, publicUrl, release: packageVersion() },
    }))

/** Returns true if an inventory is packed: by default, if the memory cache does not hold it. */
export const isPacked = ({ cache }: Config, places: number): boolean =>
  cache.packed === 'always' || (cache.packed === 'auto' && places > cache.locations)

/** Writes packed files in a pass over all places, ascending by id. Discard it after a failure. */
export class Packer implements PassWriter {
  readonly #source: FeedSource
  readonly #files: { readonly task: PackTask; readonly writer: PackedWriter }[] = []
  readonly #packs: readonly ((entry: LocationEntry) => void)[]

  constructor(tasks: readonly PackTask[], source: FeedSource, nowMs: number) {
    this.#source = source
    try {
      for (const task of tasks) this.#files.push({ task, writer: new PackedWriter(task.path, nowMs) })
      this.#packs = this.#files.map(({ task, writer }) => createPacker(task.origin, writer))
    } catch (error) {
      this.discard()
      throw error
    }
  }

  add(entry: LocationEntry): void {
    for (const pack of this.#packs) pack(entry)
  }

  /** Puts the files in place. */
  commit(): void {
    const { storeId, position } = this.#source
    for (const { task, writer } of this.#files) writer.commit({ ...task.origin, storeId, position })
  }

  /** Deletes what has been written. */
  discard(): void {
    for (const { writer } of this.#files) writer.discard()
  }
}

function createPacker(
  { version: name, publicUrl }: PackedOrigin,
  writer: PackedWriter,
): (entry: LocationEntry) => void {
  const version = registry.find(entry => entry.name === name)!.version!
  const renderer = new LocationRenderer({ publicUrl })
  return entry => {
    const { body, etag } = renderer.renderOne(entry, version, 'location', [])
    const isCoded = body.length >= minCodedBytes
    const coded = isCoded && { gzip: compress(body, 'gzip'), br: compress(body, 'br') }
    writer.add(entry.id, { etag, identity: body, ...coded })
  }
}

/**
 * Builds packed files from the current data. An aborted signal ends it after the page of places that it is at, and
 * leaves the files as they were.
 */
export const packBodies = (
  engine: Engine,
  tasks: readonly PackTask[],
  nowMs: number,
  signal?: AbortSignal,
): Promise<void> =>
  withFeedSource(engine, async source => {
    const packer = new Packer(tasks, source, nowMs)
    try {
      for await (const entries of source.locations.all()) {
        for (const entry of entries) packer.add(entry)
        // The message that aborts the signal arrives between turns of the event loop.
        await nextTurn()
        signal?.throwIfAborted()
      }
      packer.commit()
    } catch (error) {
      packer.discard()
      throw error
    }
  })
