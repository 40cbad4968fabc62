import { setTimeout as wait } from 'node:timers/promises'
import type { ChangeLog } from '../domain/data-stores.ts'
import type { SharedIndex, SharedIndexes } from '../domain/shared-indexes.ts'
import type { EngineDescriptor } from '../domain/stores.ts'
import { repeat } from '../kit/repeat.ts'
import { type LoadOutcome, readIndexRevision } from '../search/index/file.ts'
import type { HeldParts } from '../search/index/part-files.ts'
import { indexVersion } from '../search/index/stored-file.ts'
import { findBlobs } from './blobs.ts'
import { buildIndexInThread, fetchIndexInThread, loadIndexInThread, uploadIndexInThread } from './index-thread.ts'
import { publishIndex } from './shared-index.ts'

export interface IndexSharingParts {
  readonly indexes: SharedIndexes
  readonly changes: ChangeLog
  readonly engine: EngineDescriptor
  /** Address of the blobs. */
  readonly blobs: string
  /** Path of the index of this node. */
  readonly path: string
  readonly partPlaces: number
  readonly onError: (error: unknown) => void
}

/** Interval between looks for an index of another node, and between attempts to build, in milliseconds. */
const lookEveryMs = 1000
/** Bound of the random delay by which nodes that have an index spread their downloads, per byte and in all. */
const delayMsPerByte = 1e-5
const maxDelayMs = 60_000

/**
 * Keeps the index file of a node the newest one of all nodes: downloads what another node has published, and
 * publishes what this one has built. The keeper of the index loads what has changed.
 */
export class IndexSharing {
  readonly #parts: IndexSharingParts
  readonly #closing = new AbortController()
  readonly #following: { stop(): Promise<void> }
  #isFailing = false
  #refusedMs = Number.NEGATIVE_INFINITY
  /** Downloads run one at a time. */
  #fetching: Promise<boolean> = Promise.resolve(false)

  constructor(parts: IndexSharingParts) {
    this.#parts = parts
    const onError = (error: unknown) => {
      if (!this.#isFailing && !this.#closing.signal.aborted) parts.onError(error)
      this.#isFailing = true
    }
    this.#following = repeat(() => this.#follow(), { everyMs: lookEveryMs, onError })
  }

  /**
   * Builds the index and publishes it, or takes over one that another node has published. Returns undefined while
   * another node builds.
   */
  async build(signal: AbortSignal, held: HeldParts): Promise<LoadOutcome | undefined> {
    if (performance.now() - this.#refusedMs < lookEveryMs) return undefined
    const { indexes, engine, path, partPlaces } = this.#parts
    const lock = await indexes.lock()
    if (!lock) {
      this.#refusedMs = performance.now()
      return undefined
    }
    try {
      const { newer } = await this.#compare()
      if (newer && (await this.#fetch(newer))) return await loadIndexInThread(path, signal, held)
      const built = await buildIndexInThread({ engine, index: path, partPlaces }, signal, held)
      // The index is served in any case; the next look publishes it.
      await this.#publish().catch(this.#parts.onError)
      return built
    } finally {
      await lock.release()
    }
  }

  async stop(): Promise<void> {
    this.#closing.abort()
    await this.#following.stop()
    await this.#fetching.catch(() => {})
  }

  async #follow(): Promise<void> {
    const { newer, isAhead } = await this.#compare()
    if (newer) {
      if (readIndexRevision(this.#parts.path) !== undefined) await this.#waitForTurn(newer)
      if (!this.#closing.signal.aborted) await this.#fetch(newer)
    } else if (isAhead) {
      const lock = await this.#parts.indexes.lock()
      if (lock) await this.#publish().finally(() => lock.release())
    }
    this.#isFailing = false
  }

  /**
   * Compares the index of this node with the newest one of all. After a database was restored, an index of a later
   * state is neither fetched nor published.
   */
  async #compare(): Promise<{ readonly newer: SharedIndex | undefined; readonly isAhead: boolean }> {
    const { indexes, changes, path } = this.#parts
    const [newest, last] = [await indexes.newest(indexVersion), await changes.lastSeq()]
    const [own, shared] = [readIndexRevision(path) ?? -1, newest?.revision ?? -1]
    return { newer: shared > own && shared <= last ? newest : undefined, isAhead: own > shared && own <= last }
  }

  async #publish(): Promise<void> {
    const { indexes, blobs, path } = this.#parts
    const index = await uploadIndexInThread(blobs, path, this.#closing.signal)
    if (index) await publishIndex(indexes, (await findBlobs({ blobs }))!, index)
  }

  #fetch(index: SharedIndex): Promise<boolean> {
    const { blobs, path } = this.#parts
    this.#fetching = this.#fetching
      .catch(() => false)
      .then(() => fetchIndexInThread(blobs, index, path, this.#closing.signal))
    return this.#fetching
  }

  async #waitForTurn({ files }: SharedIndex): Promise<void> {
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
    const delayMs = Math.random() * Math.min(maxDelayMs, bytes * delayMsPerByte)
    await wait(delayMs, undefined, { signal: this.#closing.signal }).catch(() => {})
  }
}
