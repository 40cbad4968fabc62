import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { FeedName } from '../../domain/feed.ts'
import type { Clock } from '../../kit/clock.ts'
import { applyPass, bytesOf, isWhole, type Pass, packedBytes } from './apply.ts'
import { Catalogue, type FeedEntry } from './catalogue.ts'
import type { FeedClient } from './client.ts'
import { ChangedResult, isGoneAnswer, Mismatch, PullFailed } from './outcome.ts'
import { type Plan, planPull } from './plan.ts'
import { ResultFiles, type ResultState } from './result-state.ts'
import { trustedKey } from './signing-key.ts'

/** Shows how far the pull of a feed is. */
export interface PullProgress {
  update(done: { readonly bytes: number; readonly rows: number; readonly seconds: number }): void
  stop(): void
}

export interface PullOptions {
  readonly client: FeedClient
  /** The folder of the results; nobody else works in it. */
  readonly into: string
  /** One feed; every one that the key may take where it is left out. */
  readonly feed?: FeedName
  /** Begin with a full even where deltas would do. */
  readonly full?: boolean
  /** PEM of the key whose signatures count, in place of the one that was seen first. */
  readonly publicKey?: string
  readonly clock: Clock
  readonly say: (sentence: string) => void
  readonly progress: (feed: FeedName, totalBytes: number) => PullProgress
}

/** A feed whose result is in place now. */
export interface Pulled {
  readonly feed: FeedName
  readonly version: string
  readonly snapshot_id: string
  readonly sequence: number
  readonly kind: 'full' | 'delta' | 'unchanged'
  /** Of the result. */
  readonly records: number
  /** Lines taken, over all snapshots. */
  readonly upserts: number
  readonly tombstones: number
  /** Of the parts of those snapshots, as they are served. */
  readonly bytes: number
  readonly seconds: number
}

/** A feed whose old result, if there was one, stays in place. */
export interface NotPulled {
  readonly feed: FeedName
  readonly message: string
  /** Whether what arrived is not what the manifest says. */
  readonly mismatch: boolean
}

export interface PullReport {
  readonly pulled: readonly Pulled[]
  readonly failed: readonly NotPulled[]
}

/** So many deltas are read side by side; more take further passes, each with a result of its own. */
const deltasAtOnce = 8
/** How often a pull is planned anew because a snapshot went away while it was taken. */
const mostPlans = 3

/**
 * Brings the results in a folder to the newest snapshots. One feed that fails does not keep the others from
 * coming. Throws PullFailed and Mismatch for what concerns all of them.
 */
export async function pullFeeds(options: PullOptions): Promise<PullReport> {
  const { client, into } = options
  mkdirSync(into, { recursive: true })
  const catalogue = new Catalogue(client, await trustedKey(client, into, options.publicKey))
  const entries = await catalogue.entries()
  const wanted = entries.filter(({ feed }) => options.feed === undefined || feed === options.feed)
  if (wanted.length === 0) throw new PullFailed(nothingToTake(entries, options.feed))
  const pulled: Pulled[] = []
  const failed: NotPulled[] = []
  for (const entry of wanted) {
    try {
      pulled.push(await new FeedPull(options, catalogue, entry).run())
    } catch (error) {
      failed.push(failureOf(error, entry.feed, into))
    }
  }
  return { pulled, failed }
}

function nothingToTake(entries: readonly FeedEntry[], feed: FeedName | undefined): string {
  if (entries.length === 0) return 'The service offers this key no feeds.'
  return `The service does not offer this key the feed ${feed}, but: ${entries.map(entry => entry.feed).join(', ')}.`
}

/** The pull of one feed. */
class FeedPull {
  readonly #options: PullOptions
  readonly #catalogue: Catalogue
  readonly #entry: FeedEntry
  readonly #files: ResultFiles

  constructor(options: PullOptions, catalogue: Catalogue, entry: FeedEntry) {
    this.#options = options
    this.#catalogue = catalogue
    this.#entry = entry
    this.#files = new ResultFiles(options.into, entry.feed)
  }

  async run(): Promise<Pulled> {
    const startUs = this.#options.clock.monotonicUs()
    this.#files.recover()
    let state = this.#options.full ? undefined : await this.#presentState()
    for (let plans = 1; ; plans++) {
      const plan = await planPull(this.#catalogue, this.#entry, state)
      if (!plan)
        throw new PullFailed('The service has no full snapshot of it, until it builds the next one: come back later.')
      if (plan.full && plan.because !== undefined) this.#say(`${plan.because}: starting over with a full.`)
      try {
        const done = await this.#follow(plan, state)
        this.#files.keepWorkOf([])
        return { ...summary(plan, done), seconds: (this.#options.clock.monotonicUs() - startUs) / 1e6 }
      } catch (error) {
        if (plans === mostPlans || !(error instanceof ChangedResult || isGoneAnswer(error))) throw error
        this.#say(`${(error as Error).message} Starting over with a full.`)
        state = undefined
      }
    }
  }

  /** What can be carried on; says so where there is something that cannot. */
  async #presentState(): Promise<ResultState | undefined> {
    const state = this.#files.read()
    if (state === 'none') return undefined
    if (state !== 'damaged' && !this.#files.isTouched(state)) return state
    if (state !== 'damaged' && (await isWhole(this.#files, state))) {
      this.#files.touched(state)
      return state
    }
    this.#say(`${this.#files.result} is not what its state says, and is replaced: starting over with a full.`)
    return undefined
  }

  async #follow({ full, deltas }: Plan, state: ResultState | undefined): Promise<ResultState> {
    this.#files.keepWorkOf([...(full ? [full] : []), ...deltas].map(({ snapshot_id }) => snapshot_id))
    let base = full ?? state!
    let rest = deltas
    let done: ResultState | undefined = full ? undefined : state
    while (!done || rest.length > 0) {
      done = await this.#apply({ base, deltas: rest.slice(0, deltasAtOnce) })
      base = done
      rest = rest.slice(deltasAtOnce)
    }
    return done
  }

  async #apply(pass: Pass): Promise<ResultState> {
    const { client, clock, progress } = this.#options
    const startUs = clock.monotonicUs()
    const shown = progress(this.#entry.feed, bytesOf(pass))
    try {
      return await applyPass(client, this.#files, pass, (bytes, rows) =>
        shown.update({ bytes, rows, seconds: (clock.monotonicUs() - startUs) / 1e6 }),
      )
    } finally {
      shown.stop()
    }
  }

  #say(sentence: string): void {
    this.#options.say(`${this.#entry.feed}: ${sentence}`)
  }
}

function summary({ full, deltas }: Plan, done: ResultState): Omit<Pulled, 'seconds'> {
  const taken = [...(full ? [full] : []), ...deltas]
  return {
    feed: done.feed,
    version: done.version,
    snapshot_id: done.snapshot_id,
    sequence: done.sequence,
    kind: full ? 'full' : deltas.length > 0 ? 'delta' : 'unchanged',
    records: done.records,
    upserts: taken.reduce(
      (sum, { records, tombstones, kind }) => sum + records - (kind === 'delta' ? tombstones : 0),
      0,
    ),
    tombstones: deltas.reduce((sum, { tombstones }) => sum + tombstones, 0),
    bytes: taken.reduce((sum, manifest) => sum + packedBytes(manifest), 0),
  }
}

/** What a person is told of a feed that could not be pulled. Anything that was not foreseen is thrown on. */
function failureOf(error: unknown, feed: FeedName, into: string): NotPulled {
  if (error instanceof Mismatch) return { feed, message: error.message, mismatch: true }
  if (error instanceof PullFailed || error instanceof ChangedResult)
    return { feed, message: error.message, mismatch: false }
  return { feed, message: diskFailure(error, join(into, `${feed}.ndjson`)), mismatch: false }
}

/** What the file system refused, in a sentence; throws whatever else it is. */
export function diskFailure(error: unknown, path: string): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return `There is no space left for ${path}: a pull needs room for the parts and for a second result. What was there before stays; what has arrived is kept, and the next run goes on from it.`
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS' || code === 'ENOTDIR' || code === 'EEXIST')
    return `${path} cannot be written: ${message}.`
  throw error
}
