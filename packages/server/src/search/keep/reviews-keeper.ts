import { rmSync } from 'node:fs'
import type { Change } from '../../domain/change.ts'
import { Backoff } from '../../kit/backoff.ts'
import { removeDrafts } from '../../kit/draft-file.ts'
import { markOfFile } from '../../kit/file-mark.ts'
import type { ReviewsFacts } from '../reviews/format.ts'
import { readReviewsFacts } from '../reviews/reviews-index.ts'

/** Dependencies of a ReviewsKeeper. */
export interface ReviewsSources {
  /** Path of the index of reviews; an erasure removes it. */
  readonly path: string
  /** Builds the file outside of this thread; returns false if there are too few reviews. An aborted signal ends it. */
  build(signal: AbortSignal): Promise<boolean>
  lastSeq(): Promise<number>
  /** Changes after a sequence number, oldest first; undefined when some of them have been pruned. */
  changesAfter(seq: number, limit: number): Promise<readonly Change[] | undefined>
  /** Returns true if a file belongs to the store. */
  isOwn(facts: ReviewsFacts): Promise<boolean>
  /** Returns true if reviews were erased after a sequence number. */
  hasErased(seq: number): Promise<boolean>
  /** Returns milliseconds of a clock that never steps back. */
  nowMs(): number
  /** Called once for each failed attempt, with the milliseconds until the next one. */
  readonly onError: (error: unknown, retryMs: number) => void
}

/** Times of a ReviewsKeeper, in milliseconds. */
export interface ReviewsTimes {
  readonly checkEveryMs: number
  /** Time without a change before a build starts. */
  readonly quietMs: number
}

const defaultTimes: ReviewsTimes = { checkEveryMs: 1000, quietMs: 10_000 }
const maxChanges = 5000
/** Time after which a build that is due starts although reviews still change. */
const longestWaitMs = 600_000
/** Number of changed reviews from which the file is built again, and their share of all. */
const rebuilt = { least: 1000, share: 0.02 } as const
/** Minimum time between builds, as a multiple of the duration of the last one. */
const restFactor = 20
const retryBackoff = { firstMs: 1000, maxMs: 60_000 }

/**
 * Keeps the index of reviews: has it built when it is missing or many reviews have changed, and removes it when
 * it is of another store or has the words of an erased review. Recommendations do without it in between.
 */
export class ReviewsKeeper {
  readonly #sources: ReviewsSources
  readonly #times: ReviewsTimes
  readonly #closing = new AbortController()
  readonly #retries: Backoff
  readonly #timer: NodeJS.Timeout
  /** Identifies the file that was examined last; undefined before the first one. */
  #mark: string | undefined
  #facts: ReviewsFacts | undefined
  #hasTooFew = false
  /** Changes up to this sequence number are counted. */
  #seen = 0
  #changed = 0
  #changedAtMs: number
  #neededSinceMs: number | undefined
  #nextBuildMs = Number.NEGATIVE_INFINITY
  #busy: Promise<void> | undefined

  constructor(sources: ReviewsSources, times = defaultTimes) {
    this.#sources = sources
    this.#times = times
    this.#retries = new Backoff(retryBackoff, sources.nowMs)
    this.#changedAtMs = sources.nowMs()
    this.#timer = setInterval(() => this.#step(), times.checkEveryMs)
    this.#timer.unref()
  }

  /** Ends a build that is running. */
  async close(): Promise<void> {
    this.#closing.abort()
    clearInterval(this.#timer)
    await this.#busy
  }

  #step(): void {
    if (this.#busy || !this.#retries.isDue) return
    this.#busy = this.#update()
      .then(
        () => this.#retries.succeeded(),
        error => {
          if (!this.#closing.signal.aborted) this.#sources.onError(error, this.#retries.failed())
        },
      )
      .finally(() => {
        this.#busy = undefined
      })
  }

  async #update(): Promise<void> {
    if (markOfFile(this.#sources.path) !== this.#mark) await this.#examine()
    await this.#follow()
    if (!this.#isBuildDue()) return
    const startMs = this.#sources.nowMs()
    this.#hasTooFew = !(await this.#sources.build(this.#closing.signal))
    const endMs = this.#sources.nowMs()
    this.#nextBuildMs = endMs + (endMs - startMs) * restFactor
    this.#changed = 0
  }

  /** Reads the state and the store of the file in place. */
  async #examine(): Promise<void> {
    const { path } = this.#sources
    // This process does not build now: a draft is of one that was killed, and may have the words of erased reviews.
    removeDrafts(path)
    const facts = readReviewsFacts(path)
    const isUsable = facts !== undefined && (await this.#sources.isOwn(facts))
    if (!isUsable) rmSync(path, { force: true })
    this.#facts = isUsable ? facts : undefined
    this.#seen = isUsable ? facts.position.seq : await this.#sources.lastSeq()
    this.#changed = 0
    // After a rebuild, changes during it follow from the log.
    this.#mark = markOfFile(path)
  }

  async #follow(): Promise<void> {
    const changes = await this.#sources.changesAfter(this.#seen, maxChanges)
    if (changes === undefined) return this.#remove()
    const reviews = changes.filter(({ kind }) => kind === 'review')
    const isRemoved = reviews.some(({ op }) => op === 'delete')
    if (isRemoved && this.#facts && (await this.#sources.hasErased(this.#facts.position.seq))) return this.#remove()
    this.#seen = changes.at(-1)?.seq ?? this.#seen
    this.#changed += reviews.length
    if (reviews.length > 0) this.#changedAtMs = this.#sources.nowMs()
    if (this.#changed >= rebuilt.least) this.#hasTooFew = false
  }

  #remove(): void {
    rmSync(this.#sources.path, { force: true })
  }

  #isBuildDue(): boolean {
    const nowMs = this.#sources.nowMs()
    const limit = Math.max(rebuilt.least, rebuilt.share * (this.#facts?.reviews ?? 0))
    const isNeeded = this.#facts ? this.#changed >= limit : !this.#hasTooFew
    this.#neededSinceMs = isNeeded ? (this.#neededSinceMs ?? nowMs) : undefined
    if (this.#neededSinceMs === undefined || nowMs < this.#nextBuildMs) return false
    return nowMs - this.#changedAtMs >= this.#times.quietMs || nowMs - this.#neededSinceMs >= longestWaitMs
  }
}
