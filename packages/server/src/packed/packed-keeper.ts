import { closeSync, openSync } from 'node:fs'
import type { Change } from '../domain/change.ts'
import { Backoff } from '../kit/backoff.ts'
import { markOfFile } from '../kit/file-mark.ts'
import type { PackedOutcome } from './load.ts'
import { PackedFile } from './packed-file.ts'

/** Result of loading a packed file for a store: an intact file may also be of another origin. */
export type PackedLoad = PackedOutcome | { readonly outcome: 'outdated'; readonly reason: string }

/**
 * Dependencies of a PackedKeeper. `load` and `build` run outside of the serving thread; an aborted signal ends them.
 */
export interface PackedSources {
  /** Path of the packed file; other processes may replace it with a newer one. */
  readonly path: string
  /** Returns true if the inventory is large enough for a packed file; undefined while its size is not known. */
  isWanted(): boolean | undefined
  /** Loads an open file. */
  load(file: number, signal: AbortSignal): Promise<PackedLoad>
  /** Builds the file from the store. */
  build(signal: AbortSignal): Promise<void>
  /** Changes after a sequence number, oldest first; undefined when some of them have been pruned. */
  changesAfter(seq: number, limit: number): Promise<readonly Change[] | undefined>
  /** Called when another file becomes the current one. Resolves when no other thread uses the file before it. */
  readonly onReplaced?: ((file: PackedFile | undefined) => Promise<void>) | undefined
  /** Returns milliseconds of a clock that never steps back. */
  nowMs(): number
  /** Called when a file cannot be used, with a sentence. */
  readonly onUnusable: (message: string) => void
  /** Called once for each failed attempt, with the milliseconds until the next one. */
  readonly onError: (error: unknown, retryMs: number) => void
}

const checkEveryMs = 1000
/** Number of changes that are read at once. */
const maxChanges = 5000
/** Time without a change before a build starts: an import that runs brings a file of its own when it ends. */
const quietMs = 10_000
/** Time after which a build that is due starts although places still change. */
const longestWaitMs = 600_000
/** Share of changed places above which the file is built again. */
const rebuiltShare = 0.02
/** Minimum time between builds, as a multiple of the duration of the last one: a build may use 5 % of a core. */
const restFactor = 20
const retryBackoff = { firstMs: 5000, maxMs: 600_000 }

/**
 * Keeps a packed file up to date with the store: loads it, hides the places that the change log names, takes over a
 * newer file, and has it built in the background when it is missing, unusable, or when many places have changed.
 */
export class PackedKeeper {
  readonly #sources: PackedSources
  readonly #closing = new AbortController()
  readonly #retries: Backoff
  readonly #timer: NodeJS.Timeout
  #current: PackedFile | undefined
  /** Changes up to this sequence number are marked in the current file. */
  #seen = 0
  /** Identifies the file that was examined last. */
  #fileMark: string | undefined
  #changedAtMs = Number.NEGATIVE_INFINITY
  /** Time since which the file is missing or too many places have changed. */
  #neededSinceMs: number | undefined
  #nextBuildMs = Number.NEGATIVE_INFINITY
  #failuresTotal = 0
  #busy: Promise<void> | undefined
  #following: Promise<void> = Promise.resolve()

  /** Begins to load the file at once. */
  constructor(sources: PackedSources) {
    this.#sources = sources
    this.#retries = new Backoff(retryBackoff, sources.nowMs)
    this.#step()
    this.#timer = setInterval(() => this.#step(), checkEveryMs)
    this.#timer.unref()
  }

  /** The loaded file; undefined while it is missing, outdated or damaged. */
  get current(): PackedFile | undefined {
    return this.#current
  }

  /** Attempts to load or build the file that have failed since the start of the process. */
  get failuresTotal(): number {
    return this.#failuresTotal
  }

  /** Hides the places that have changed. Call it when the store has changed. */
  follow(): Promise<void> {
    // Without a file, the changes are not read.
    if (!this.#current) this.#changedAtMs = this.#sources.nowMs()
    return this.#followInTurn()
  }

  /** Stops using a file, by its descriptor, in which another thread has found a damaged body. */
  reportDamage(file: number, reason: string): void {
    if (this.#current?.shared.file === file) this.#drop(this.#current, reason)
  }

  /** Ends a load or build that is running, and closes the file. */
  async close(): Promise<void> {
    this.#closing.abort()
    clearInterval(this.#timer)
    await this.#busy
    await this.#following.catch(() => {})
    this.#replace(undefined)
  }

  /** Runs one step at a time; after a failure the next one waits. */
  #step(): void {
    if (this.#busy || !this.#retries.isDue) return
    this.#busy = this.#update()
      .then(
        hasBuilt => {
          if (hasBuilt) this.#retries.succeeded()
        },
        error => this.#failed(error),
      )
      .finally(() => {
        this.#busy = undefined
      })
  }

  #failed(error: unknown): void {
    if (this.#closing.signal.aborted) return
    this.#failuresTotal++
    this.#sources.onError(error, this.#retries.failed())
  }

  /** Loads a file that is new, and builds one if that is due; returns true if it has built one. */
  async #update(): Promise<boolean> {
    if (this.#sources.isWanted() !== true) return false
    if (markOfFile(this.#sources.path) !== this.#fileMark) await this.#loadFile()
    if (!this.#isBuildDue()) return false
    const startMs = this.#sources.nowMs()
    await this.#sources.build(this.#closing.signal)
    const endMs = this.#sources.nowMs()
    this.#nextBuildMs = endMs + (endMs - startMs) * restFactor
    await this.#loadFile()
    if (!this.#current) throw new Error('The file that was just built cannot be loaded.')
    return true
  }

  #isBuildDue(): boolean {
    const nowMs = this.#sources.nowMs()
    const file = this.#current
    const isNeeded = !file || file.changedPlaces > file.facts.places * rebuiltShare
    this.#neededSinceMs = isNeeded ? (this.#neededSinceMs ?? nowMs) : undefined
    if (this.#neededSinceMs === undefined || nowMs < this.#nextBuildMs) return false
    return nowMs - this.#changedAtMs >= quietMs || nowMs - this.#neededSinceMs >= longestWaitMs
  }

  async #loadFile(): Promise<void> {
    const mark = markOfFile(this.#sources.path)
    this.#fileMark = mark
    if (mark === '') return this.#refuse('is missing')
    const file = openSync(this.#sources.path, 'r')
    let taken = false
    try {
      const loaded = await this.#sources.load(file, this.#closing.signal)
      if (loaded.outcome !== 'loaded') return this.#refuse(reasonOf(loaded))
      const found = new PackedFile(file, loaded.contents, reason => this.#drop(found, reason))
      taken = await this.#take(found)
    } finally {
      if (!taken) closeSync(file)
    }
  }

  /** Makes a file the current one, unless changes since it was built are missing from the log. */
  async #take(file: PackedFile): Promise<boolean> {
    await this.#following.catch(() => {})
    const seen = await this.#markChanges(file, file.facts.position.seq)
    if (seen === undefined) {
      this.#refuse('is older than the change log')
      return false
    }
    if (this.#closing.signal.aborted) return false
    this.#replace(file)
    this.#seen = seen
    // Changes that were made in the meantime.
    await this.#followInTurn()
    return true
  }

  /** Follows the changes after all earlier calls have ended. */
  #followInTurn(): Promise<void> {
    this.#following = this.#following.catch(() => {}).then(() => this.#follow())
    return this.#following
  }

  async #follow(): Promise<void> {
    const file = this.#current
    if (!file) return
    const seen = await this.#markChanges(file, this.#seen)
    if (this.#current !== file) return
    if (seen === undefined) return this.#drop(file, 'is older than the change log')
    if (seen > this.#seen) this.#changedAtMs = this.#sources.nowMs()
    this.#seen = seen
  }

  /** Hides the places that have changed after a number; returns the newest number, or undefined if some were pruned. */
  async #markChanges(file: PackedFile, after: number): Promise<number | undefined> {
    for (let seq = after; ; ) {
      const changes = await this.#sources.changesAfter(seq, maxChanges)
      if (changes === undefined) return undefined
      for (const { kind, id } of changes) if (kind === 'location') file.markChanged(id)
      seq = changes.at(-1)?.seq ?? seq
      if (changes.length < maxChanges) return seq
      // A store may answer within the same turn of the event loop.
      await new Promise(nextTurn => setImmediate(nextTurn))
    }
  }

  #refuse(reason: string): void {
    this.#sources.onUnusable(reason)
  }

  /** Stops using a file if it is still the current one; a new one is built. */
  #drop(file: PackedFile, reason: string): void {
    if (this.#current !== file) return
    this.#refuse(reason)
    this.#replace(undefined)
  }

  #replace(file: PackedFile | undefined): void {
    const old = this.#current
    this.#current = file
    const { onReplaced } = this.#sources
    if (!onReplaced) old?.close()
    else void onReplaced(file).finally(() => old?.close())
  }
}

/** Returns why a file cannot be used, as the end of a sentence. */
export function reasonOf(loaded: Exclude<PackedLoad, { readonly outcome: 'loaded' }>): string {
  switch (loaded.outcome) {
    case 'unrecognized':
      return 'is not a packed file of Periplus'
    case 'other_format':
      return `has format ${loaded.format}, which another release uses`
    case 'damaged':
      return `is damaged: ${loaded.reason}`
    case 'outdated':
      return loaded.reason
  }
}
