import { setTimeout as wait } from 'node:timers/promises'
import type { ChangeLog } from '../domain/data-stores.ts'
import type { IndexLock, SharedIndex, SharedIndexes } from '../domain/shared-indexes.ts'
import type { EngineDescriptor, Locks } from '../domain/stores.ts'
import { Backoff } from '../kit/backoff.ts'
import { repeat } from '../kit/repeat.ts'
import { readIndexRevision } from '../search/index/file.ts'
import { indexVersion } from '../search/index/stored-file.ts'
import { findBlobs } from './blobs.ts'
import { IndexNeed } from './index-need.ts'
import { buildIndexInThread, fetchIndexInThread, loadIndexInThread, uploadIndexInThread } from './index-thread.ts'
import { listMissing, publishIndex, removeIndex } from './shared-index.ts'

/**
 * Events of sharing. `waiting`: a process without an index waits for the one of the others; `abandoned`: it builds the
 * index, because no process does; `withdrawn`: the blobs do not have a file as it was published.
 */
export type IndexSharingEvent =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'abandoned' }
  | { readonly kind: 'building' }
  | { readonly kind: 'published'; readonly revision: number }
  | { readonly kind: 'withdrawn'; readonly key: string }

export interface IndexSharingParts {
  readonly indexes: SharedIndexes
  readonly changes: ChangeLog
  readonly locks: Pick<Locks, 'isHeld'>
  readonly engine: EngineDescriptor
  /** Address of the blobs. */
  readonly blobs: string
  /** Path of the index of this node. */
  readonly path: string
  readonly partPlaces: number
  readonly onEvent: (event: IndexSharingEvent) => void
  readonly onError: (error: unknown) => void
  /** Time after which a process that is not the worker builds an index that no other one builds, in milliseconds. */
  readonly graceMs?: number
}

/** Interval between looks for an index of another node, and between looks whether to build, in milliseconds. */
const lookEveryMs = 1000
/** Bound of the random delay by which nodes that have an index spread their downloads, per byte and in all. */
const delayMsPerByte = 1e-5
const maxDelayMs = 60_000
/** A new worker is elected, and begins to build, within this time of the end of the one before. */
const defaultGraceMs = 10_000
const buildBackoff = { firstMs: 1000, maxMs: 60_000 }
const nowMs = () => performance.now()

/** State of the index of this node, next to those of all. */
interface Comparison {
  /** Revision of the index of this node; -1 without one of the history of the database. */
  readonly own: number
  readonly newest: SharedIndex | undefined
  /** The newest one, if it is newer than that of this node. */
  readonly newer: SharedIndex | undefined
}

/**
 * Keeps the index file of a process the newest one of all nodes. It downloads what another process has
 * published. It builds and publishes the index while it is that of the worker, or when a keeper has asked for one for a
 * while and no process builds it. The keeper of a service loads what has changed.
 */
export class IndexSharing {
  readonly #parts: IndexSharingParts
  readonly #need: IndexNeed
  readonly #closing = new AbortController()
  readonly #looks: { stop(): Promise<void> }
  readonly #builds = new Backoff(buildBackoff, nowMs)
  #isWorker = false
  #isRequested = false
  #isWaiting = false
  #isBuilding = false
  /** Time since which an index is missing that nobody builds. */
  #abandonedSinceMs: number | undefined
  #isFailing = false

  constructor(parts: IndexSharingParts) {
    this.#parts = parts
    this.#need = new IndexNeed({ ...parts, nowMs })
    this.#looks = repeat(() => this.#look(), { everyMs: lookEveryMs, onError: error => this.#failed(error) })
  }

  /** True while this process builds the index. */
  get isBuilding(): boolean {
    return this.#isBuilding
  }

  /** Asks for a newer index, or for the first one; call it until there is one. */
  request(): void {
    this.#isRequested = true
  }

  /** Builds the index whenever it is due, until `stop`, as the worker does. A build that runs then is completed. */
  startWork(): { stop(): void } {
    this.#isWorker = true
    return {
      stop: () => {
        this.#isWorker = false
      },
    }
  }

  /** Deletes the index of this node, which is damaged: the next look downloads or builds it again. */
  removeDamaged(): void {
    removeIndex(this.#parts.path)
  }

  async stop(): Promise<void> {
    this.#closing.abort()
    await this.#looks.stop()
  }

  async #look(): Promise<void> {
    const isRequested = this.#isRequested
    this.#isRequested = false
    const found = await this.#compare()
    this.#noteWaiting(isRequested && found.own < 0 && !found.newer && !this.#isWorker)
    if (found.newer) await this.#download(found.newer, found.own)
    else if (this.#builds.isDue) {
      if (found.own > (found.newest?.revision ?? -1)) await this.#withLock(signal => this.#publishFound(signal))
      else if (await this.#mustBuild(found, isRequested)) await this.#withLock(signal => this.#build(signal))
    }
    this.#isFailing = false
  }

  #noteWaiting(isWaiting: boolean): void {
    if (isWaiting && !this.#isWaiting) this.#parts.onEvent({ kind: 'waiting' })
    this.#isWaiting = isWaiting
  }

  async #mustBuild({ own }: Comparison, isRequested: boolean): Promise<boolean> {
    if (this.#isWorker) return own < 0 || (await this.#need.isOutdated(own))
    const { indexes, onEvent, graceMs = defaultGraceMs } = this.#parts
    if (!isRequested || (await indexes.isLocked(indexVersion))) {
      this.#abandonedSinceMs = undefined
      return false
    }
    this.#abandonedSinceMs ??= nowMs()
    if (nowMs() - this.#abandonedSinceMs < graceMs) return false
    onEvent({ kind: 'abandoned' })
    return true
  }

  /** Runs `work` while no other process builds or publishes an index of this format. */
  async #withLock(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const lock: IndexLock | undefined = await this.#parts.indexes.lock(indexVersion)
    if (!lock) return
    try {
      // Another process may have published one before it released the lock.
      if ((await this.#compare()).newer) return
      await work(AbortSignal.any([this.#closing.signal, lock.lost]))
      this.#builds.succeeded()
    } catch (error) {
      this.#builds.failed()
      throw lock.lost.aborted ? lock.lost.reason : error
    } finally {
      this.#abandonedSinceMs = undefined
      await lock.release()
    }
  }

  async #build(signal: AbortSignal): Promise<void> {
    const { engine, path, partPlaces, onEvent } = this.#parts
    onEvent({ kind: 'building' })
    this.#isBuilding = true
    const built = buildIndexInThread({ engine, index: path, partPlaces }, signal)
    const { outcome } = await built.finally(() => {
      this.#isBuilding = false
    })
    if (outcome !== 'loaded') throw new Error(`The index file that was just built cannot be loaded: ${outcome}.`)
    await this.#publish(signal)
  }

  /** Publishes an index that this process did not build now, after a check of every byte. */
  async #publishFound(signal: AbortSignal): Promise<void> {
    const { outcome } = await loadIndexInThread(this.#parts.path, signal)
    if (outcome === 'loaded') await this.#publish(signal)
    else this.removeDamaged()
  }

  async #publish(signal: AbortSignal): Promise<void> {
    const { indexes, blobs, path, onEvent } = this.#parts
    const index = await uploadIndexInThread(blobs, path, await indexes.newest(indexVersion), signal)
    if (!index) return
    await publishIndex(indexes, (await findBlobs({ blobs }))!, index)
    onEvent({ kind: 'published', revision: index.revision })
  }

  /**
   * Compares the index of this node with the newest one of all. After a database was restored, an index of a later
   * state is neither fetched nor published.
   */
  async #compare(): Promise<Comparison> {
    const { indexes, changes, path } = this.#parts
    // The last change is read last: an import may replace the file meanwhile.
    const found = readIndexRevision(path) ?? -1
    const newest = await indexes.newest(indexVersion)
    const last = await changes.lastSeq()
    const own = found <= last ? found : -1
    const shared = newest?.revision ?? -1
    return { own, newest, newer: shared > own && shared <= last ? newest : undefined }
  }

  async #download(index: SharedIndex, own: number): Promise<void> {
    const { indexes, blobs, path, onEvent } = this.#parts
    if (own >= 0 && !this.#isWorker) await this.#waitForTurn(index)
    if (this.#closing.signal.aborted) return
    const damaged = await fetchIndexInThread(blobs, index, path, this.#closing.signal)
    if (damaged === undefined) return
    // The builder publishes it again, or builds the next one.
    await indexes.withdraw(damaged)
    onEvent({ kind: 'withdrawn', key: damaged })
  }

  async #waitForTurn({ files }: SharedIndex): Promise<void> {
    const bytes = listMissing(this.#parts.path, files).reduce((sum, file) => sum + file.bytes, 0)
    const delayMs = Math.random() * Math.min(maxDelayMs, bytes * delayMsPerByte)
    await wait(delayMs, undefined, { signal: this.#closing.signal }).catch(() => {})
  }

  #failed(error: unknown): void {
    if (!this.#isFailing && !this.#closing.signal.aborted) this.#parts.onError(error)
    this.#isFailing = true
  }
}
