import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { FeedName } from '../../domain/feed.ts'
import { findDiskFailure, StoreFailure } from '../../domain/store-errors.ts'
import type { Clock } from '../../kit/clock.ts'
import { applyPass, compressedBytes, isIntact, type Pass, totalBytes } from './apply.ts'
import { Catalogue, type FeedEntry } from './catalogue.ts'
import type { FeedClient } from './client.ts'
import { ChangedResult, isGoneResponse, Mismatch, PullFailed } from './outcome.ts'
import { type Plan, planPull } from './plan.ts'
import type { FailedFeed, PulledFeed, PullReport, StartProgress } from './report.ts'
import { ResultFiles, type ResultState } from './result-state.ts'
import { loadTrustedKey } from './signing-key.ts'

export interface PullOptions {
  readonly client: FeedClient
  /** Folder of the results; the caller holds its lock. */
  readonly into: string
  /** The feed to pull; undefined for all feeds of the key. */
  readonly feed?: FeedName
  /** `parquet` pulls the tables of the newest full snapshots instead of the records. */
  readonly format?: 'ndjson' | 'parquet'
  /** Starts with a full snapshot even if deltas are sufficient. */
  readonly full?: boolean
  /** Trusted public key in PEM; undefined for the one stored by the first pull. */
  readonly publicKey?: string
  readonly clock: Clock
  readonly say: (message: string) => void
  readonly progress: StartProgress
}

/** Maximum number of deltas merged in one pass. More deltas need several passes, each with a separate result. */
const deltasPerPass = 8
/** Maximum number of plans of one pull. A plan is repeated if one of its snapshots disappears. */
const maxPlans = 3

/**
 * Updates the results in a folder to the newest snapshots. A failure of one feed does not affect the others.
 * Throws PullFailed and Mismatch for failures that affect all feeds.
 */
export async function pullFeeds(options: PullOptions): Promise<PullReport> {
  const { client, into } = options
  mkdirSync(into, { recursive: true })
  const catalogue = new Catalogue(client, await loadTrustedKey(client, into, options.publicKey))
  const entries = await catalogue.entries()
  const requested = entries.filter(({ feed }) => options.feed === undefined || feed === options.feed)
  if (requested.length === 0) throw new PullFailed(noFeedMessage(entries, options.feed))
  const pulled: PulledFeed[] = []
  const failed: FailedFeed[] = []
  for (const entry of requested) {
    try {
      const one = await pullFeed(options, catalogue, entry)
      if (one) pulled.push(one)
    } catch (error) {
      failed.push(toFailedFeed(error, entry.feed, into))
    }
  }
  return { pulled, failed }
}

/** Pulls one feed; undefined if all were requested as tables, and the service has none of this one. */
async function pullFeed(options: PullOptions, catalogue: Catalogue, entry: FeedEntry): Promise<PulledFeed | undefined> {
  if (options.format !== 'parquet') return new FeedPull(options, catalogue, entry).run()
  // Loaded here, because few pulls need a reader of Parquet.
  const { pullTable } = await import('./table-pull.ts')
  const pulled = await pullTable(options, catalogue, entry)
  if (pulled) return pulled
  const message = 'The service publishes no Parquet of this feed. Pull it without --format, or ask its operator.'
  if (options.feed !== undefined) throw new PullFailed(message)
  options.say(`${entry.feed}: ${message}`)
  return undefined
}

function noFeedMessage(entries: readonly FeedEntry[], feed: FeedName | undefined): string {
  if (entries.length === 0) return 'The service offers no feeds to this key.'
  const offered = entries.map(entry => entry.feed).join(', ')
  return `The service does not offer the feed ${feed} to this key. It offers: ${offered}.`
}

/** Pulls one feed. */
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

  async run(): Promise<PulledFeed> {
    const startUs = this.#options.clock.monotonicUs()
    this.#files.recover()
    let state = this.#options.full ? undefined : await this.#usableState()
    for (let plans = 1; ; plans++) {
      const plan = await planPull(this.#catalogue, this.#entry, state)
      if (!plan) throw new PullFailed('The service currently has no full snapshot of this feed. Try again later.')
      if (plan.full && plan.reason !== undefined) this.#say(`${plan.reason} Starting over with a full snapshot.`)
      try {
        const result = await this.#execute(plan, state)
        this.#files.keepDownloads([])
        return { ...summarize(plan, result), seconds: (this.#options.clock.monotonicUs() - startUs) / 1e6 }
      } catch (error) {
        if (plans === maxPlans || !(error instanceof ChangedResult || isGoneResponse(error))) throw error
        this.#say(`${(error as Error).message} Starting over with a full snapshot.`)
        state = undefined
      }
    }
  }

  /** Returns the state of the existing result; undefined if it is missing or damaged. Reports a damaged one. */
  async #usableState(): Promise<ResultState | undefined> {
    const state = this.#files.read()
    if (state === 'missing') return undefined
    if (state !== 'damaged' && !this.#files.isModified(state)) return state
    if (state !== 'damaged' && (await isIntact(this.#files, state))) {
      this.#files.updateModifiedTime(state)
      return state
    }
    this.#say(
      `${this.#files.result} does not match its state file and will be replaced. Starting over with a full snapshot.`,
    )
    return undefined
  }

  async #execute({ full, deltas }: Plan, state: ResultState | undefined): Promise<ResultState> {
    this.#files.keepDownloads([...(full ? [full] : []), ...deltas].map(({ snapshot_id }) => snapshot_id))
    let base = full ?? state!
    let rest = deltas
    let result: ResultState | undefined = full ? undefined : state
    while (!result || rest.length > 0) {
      result = await this.#apply({ base, deltas: rest.slice(0, deltasPerPass) })
      base = result
      rest = rest.slice(deltasPerPass)
    }
    return result
  }

  async #apply(pass: Pass): Promise<ResultState> {
    const { client, clock, progress } = this.#options
    const startUs = clock.monotonicUs()
    const bar = progress(this.#entry.feed, totalBytes(pass))
    try {
      return await applyPass(client, this.#files, pass, (bytes, rows) =>
        bar.update({ bytes, rows, seconds: (clock.monotonicUs() - startUs) / 1e6 }),
      )
    } finally {
      bar.stop()
    }
  }

  #say(message: string): void {
    this.#options.say(`${this.#entry.feed}: ${message}`)
  }
}

function summarize({ full, deltas }: Plan, result: ResultState): Omit<PulledFeed, 'seconds'> {
  const downloaded = [...(full ? [full] : []), ...deltas]
  return {
    feed: result.feed,
    version: result.version,
    snapshot_id: result.snapshot_id,
    sequence: result.sequence,
    kind: full ? 'full' : deltas.length > 0 ? 'delta' : 'unchanged',
    records: result.records,
    upserts: downloaded.reduce(
      (sum, { records, tombstones, kind }) => sum + records - (kind === 'delta' ? tombstones : 0),
      0,
    ),
    tombstones: deltas.reduce((sum, { tombstones }) => sum + tombstones, 0),
    bytes: downloaded.reduce((sum, manifest) => sum + compressedBytes(manifest), 0),
  }
}

/** Converts an expected error to a failure of the feed, and rethrows any other error. */
function toFailedFeed(error: unknown, feed: FeedName, into: string): FailedFeed {
  if (error instanceof Mismatch) return { feed, message: error.message, mismatch: true }
  if (error instanceof PullFailed || error instanceof ChangedResult)
    return { feed, message: error.message, mismatch: false }
  return { feed, message: describeDiskError(error, join(into, `${feed}.ndjson`)), mismatch: false }
}

/** Returns the user-facing message for an error of the file system; rethrows any other error. */
export function describeDiskError(error: unknown, path: string): string {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOTDIR' || code === 'EEXIST') return `${path} cannot be written: part of the path is a file.`
  const failure = findDiskFailure(error)
  if (!failure) throw error
  if (failure.kind === 'disk_full')
    return `The disk is full at ${path}. A pull needs space for the downloaded parts and for a second result. The previous result is unchanged, and the next run continues from the downloaded bytes.`
  return new StoreFailure(failure.kind, failure.file ?? path).message
}
