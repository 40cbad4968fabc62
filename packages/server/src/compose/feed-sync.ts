import { createHash } from 'node:crypto'
import { existsSync, linkSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { FeedName } from '../domain/feed.ts'
import type { InputRow } from '../domain/import.ts'
import { SyncFailed, type SyncInput, type SyncSource } from '../domain/sync.ts'
import { compareResults, type ResultChange } from '../feeds/pull/diff.ts'
import { ChangedResult } from '../feeds/pull/outcome.ts'
import { fromFeedRecord } from '../ingest/mapping/feed-record.ts'
import { rowInput } from '../ingest/row-input.ts'
import { parseLongJson } from '../kit/long-json.ts'
import { replaceFile } from '../kit/replace-file.ts'
import { composePull } from './feeds-pull.ts'

/** The feeds that a store has records of, in the order of their import: reviews name places. */
const kinds = { locations: 'location', reviews: 'review' } as const
const feeds = Object.keys(kinds) as (keyof typeof kinds)[]

/** Versions of feeds whose records an import reads. */
const readableVersions = ['0', '1']

/** Settings of a sync from the feeds of another service. */
export interface FeedSourceOptions {
  readonly url: string
  /** Reads the API key. Throws SyncFailed. */
  readonly readKey: () => string | undefined
  /** Folder of the pulled feeds. */
  readonly into: string
  readonly say: (message: string) => void
}

/**
 * Creates the source of the feeds of another service: they are pulled and verified as by `periplus feeds
 * pull`, and compared with what was stored before. If that is missing, everything is stored, and what is not in the
 * feeds is removed.
 */
export function createFeedSource(options: FeedSourceOptions): SyncSource {
  const { url, into } = options
  let pulled: readonly PulledFeed[] = []
  let isComplete = true
  return {
    origin: createHash('sha256').update(new URL(url).href).digest('hex'),
    removesMissing: true,
    prepare: async position => {
      pulled = await pull(options)
      // Where syncs move between machines, the result here may be older than the one that was stored last.
      const isLast = position !== undefined && readStoredPosition(into) === position
      isComplete = !isLast || pulled.some(({ feed }) => !existsSync(filesOf(into, feed).stored))
      return { isComplete }
    },
    open: async position => {
      const next = pulled.map(({ feed, snapshotId }) => `${feed} ${snapshotId}`).join(', ')
      if (!isComplete && next === position) return undefined
      const files = pulled.map(({ feed }) => filesOf(into, feed))
      for (const { result, pending } of files) {
        // A link keeps the result that is stored now, when the next pull replaces the file.
        rmSync(pending, { force: true })
        linkSync(result, pending)
      }
      return {
        inputs: pulled.map(({ feed }) => toInput(feed, into, isComplete)),
        known: () => 0,
        position: next,
        done: async () => {
          for (const { pending, stored } of files) renameSync(pending, stored)
          replaceFile(positionFile(into), next)
        },
        close: async () => {},
        notes: () => [],
      }
    },
  }
}

/** File with the position that the stored results belong to. */
const positionFile = (into: string): string => join(into, 'stored.position')

function readStoredPosition(into: string): string | undefined {
  const file = positionFile(into)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

/** A pulled feed, and the snapshot that its result is from. */
interface PulledFeed {
  readonly feed: keyof typeof kinds
  readonly snapshotId: string
}

const filesOf = (into: string, feed: FeedName) => ({
  result: join(into, `${feed}.ndjson`),
  pending: join(into, `${feed}.pending.ndjson`),
  stored: join(into, `${feed}.stored.ndjson`),
})

async function pull({ url, readKey, into, say }: FeedSourceOptions): Promise<readonly PulledFeed[]> {
  const report = await composePull({
    url: new URL(url),
    key: readKey() ?? '',
    into,
    say,
    progress: () => ({ update: () => {}, stop: () => {} }),
  })
  if ('failure' in report) throw new SyncFailed(report.failure)
  const ofStore = ({ feed }: { readonly feed: FeedName }) => feeds.some(name => name === feed)
  const failed = report.failed.find(ofStore)
  if (failed) throw new SyncFailed(`${failed.feed}: ${failed.message}`)
  const pulled = report.pulled.filter(ofStore)
  if (pulled.length === 0)
    throw new SyncFailed(`The service at ${url} offers neither locations nor reviews to the key.`)
  const other = pulled.find(({ version }) => !readableVersions.includes(version))
  if (other)
    throw new SyncFailed(
      `The feed ${other.feed} is pinned to version ${other.version}, which cannot be imported. Pin the key to version 1 there.`,
    )
  return feeds.flatMap(feed => {
    const found = pulled.find(one => one.feed === feed)
    return found ? [{ feed, snapshotId: found.snapshot_id }] : []
  })
}

function toInput(feed: keyof typeof kinds, into: string, isComplete: boolean): SyncInput {
  const { pending, stored } = filesOf(into, feed)
  const kind = kinds[feed]
  async function* changes(): AsyncGenerator<ResultChange> {
    try {
      yield* compareResults(feed, isComplete ? undefined : stored, pending)
    } catch (error) {
      if (!(error instanceof ChangedResult)) throw error
      rmSync(stored, { force: true })
      throw new SyncFailed(`${error.message} The next run compares all records again.`)
    }
  }
  async function* rows(): AsyncGenerator<InputRow> {
    let line = 0
    for await (const change of changes()) {
      const read = change.op === 'put' ? (parseLongJson(change.line) as Record<string, unknown>) : undefined
      const record = fromFeedRecord(kind, read ?? { op: 'delete', id: change.op === 'delete' ? change.key : undefined })
      yield { line: ++line, text: () => (change.op === 'put' ? change.line : JSON.stringify(record)), record }
    }
  }
  return { input: rowInput(`${feed}.ndjson`, { rows: rows() }), kind }
}
