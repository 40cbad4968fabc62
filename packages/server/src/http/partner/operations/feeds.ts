import { type Fault, isFault } from '../../../domain/fault.ts'
import { type Edition, type FeedSnapshot, feedNames, type Manifest } from '../../../domain/feed.ts'
import type { FeedLibrary } from '../../../domain/feed-stores.ts'
import type { Clock } from '../../../kit/clock.ts'
import { findFeedSnapshot, latestFeedSnapshot } from '../../../usecases/partner/find-feed-snapshot.ts'
import { listFeedDeltas } from '../../../usecases/partner/list-feed-deltas.ts'
import type { Lifecycle } from '../../../versions/lifecycle.ts'
import type { Values } from '../../../versions/primitives/param.ts'
import { readArgs } from '../../../versions/primitives/requests/read-args.ts'
import { RenderedBody } from '../../wire/rendered.ts'
import { bindParts, type Call, type HandlerTable, type OperationResult } from '../call.ts'
import { render } from '../render.ts'
import { buildPinDeprecationHeaders, resolveEdition } from './feed-edition.ts'
import { immutable, serveFeedFile } from './feed-file.ts'
import { type FeedOperation, feedParams } from './feed-params.ts'

/** Dependencies of the feed operations. */
export interface FeedParts {
  readonly feeds: FeedLibrary
  readonly lifecycle: Lifecycle
  readonly clock: Clock
  readonly settings: {
    readonly publicUrl: string
    /** Versions whose feeds are no longer delivered. */
    readonly endedFeedVersions: readonly string[]
  }
}

/** `Cache-Control` of lists and of the latest manifest: revalidated on every use. */
const revalidated = { 'Cache-Control': 'private, no-cache' }

const handlers: HandlerTable<FeedParts, FeedOperation> = {
  listFeeds: async (parts, call) => {
    const args = readFeedArgs('listFeeds', call)
    if (isFault(args)) return args
    const { endedFeedVersions, publicUrl } = parts.settings
    const editions = feedNames.map(feed => resolveEdition(call.key, feed, endedFeedVersions))
    const delivered = editions.filter((edition): edition is Edition => !isFault(edition))
    const data = await Promise.all(delivered.map(edition => presentFeed(parts, edition)))
    const body = { data, public_key_url: `${publicUrl}/feeds/public-key.pem` }
    return { ...toListResult(body), ...getDeprecation(parts, delivered) }
  },

  listFeedSnapshots: (parts, call) =>
    withEdition('listFeedSnapshots', parts, call, async edition => {
      const all = await parts.feeds.list(edition)
      return toListResult({ data: all.map(snapshot => presentSummary(parts, snapshot)) })
    }),

  getFeedManifest: (parts, call) =>
    withEdition('getFeedManifest', parts, call, async edition => {
      const found = await findFeedSnapshot(parts.feeds, edition, call.params.snapshot!)
      return isFault(found) ? found : toManifestResult(found, immutable)
    }),

  getLatestFeedManifest: (parts, call) =>
    withEdition('getLatestFeedManifest', parts, call, async (edition, { kind }) => {
      const found = await latestFeedSnapshot(parts.feeds, edition, kind)
      return isFault(found) ? found : toManifestResult(found, revalidated)
    }),

  listFeedDeltas: (parts, call) =>
    withEdition('listFeedDeltas', parts, call, async (edition, { after }) => {
      const deltas = await listFeedDeltas(parts.feeds, edition, after)
      return isFault(deltas) ? deltas : toListResult({ data: deltas.map(snapshot => presentSummary(parts, snapshot)) })
    }),

  downloadFeedFile: (parts, call) =>
    withEdition('downloadFeedFile', parts, call, async edition => {
      const found = await findFeedSnapshot(parts.feeds, edition, call.params.snapshot!)
      return isFault(found) ? found : serveFeedFile(call.headers, parts.feeds, found, call.params.name!)
    }),
}

/** Creates the handlers of the feed operations. */
export const createFeedOperations = (parts: FeedParts) => bindParts(parts, handlers)

/**
 * Runs `work` in the edition that the key is pinned to, with the parameters of the operation, and adds the deprecation
 * headers of that version.
 */
async function withEdition<O extends FeedOperation>(
  operation: O,
  parts: FeedParts,
  call: Call,
  work: (edition: Edition, args: FeedArgs<O>) => Promise<OperationResult | Fault>,
): Promise<OperationResult | Fault> {
  const edition = resolveEdition(call.key, call.params.feed!, parts.settings.endedFeedVersions)
  if (isFault(edition)) return edition
  const args = readFeedArgs(operation, call)
  if (isFault(args)) return args
  const result = await work(edition, args)
  return isFault(result) ? result : { ...result, ...getDeprecation(parts, [edition]) }
}

type FeedArgs<O extends FeedOperation> = Values<(typeof feedParams)[O]>

const readFeedArgs = <O extends FeedOperation>(operation: O, { query }: Call): FeedArgs<O> | Fault =>
  readArgs(feedParams[operation], query, values => values)

function getDeprecation(
  { lifecycle, clock, settings }: FeedParts,
  editions: readonly Edition[],
): Pick<OperationResult, 'lifecycleHeaders'> {
  const pinned = editions.map(({ version }) => version)
  const lifecycleHeaders = buildPinDeprecationHeaders(lifecycle, pinned, settings.publicUrl, clock.nowMs())
  return lifecycleHeaders ? { lifecycleHeaders } : {}
}

const toListResult = (body: object): OperationResult => ({ rendered: render(body), entities: 0, headers: revalidated })

const toManifestResult = ({ bytes }: FeedSnapshot, headers: Readonly<Record<string, string>>): OperationResult => ({
  rendered: new RenderedBody(bytes),
  entities: 0,
  headers,
})

/** Presents a feed as an item of `GET /feeds`. */
async function presentFeed({ feeds, settings }: FeedParts, edition: Edition) {
  const all = await feeds.list(edition)
  const latest = (kind: Manifest['kind']) =>
    all.findLast(({ manifest }) => manifest.kind === kind)?.manifest.snapshot_id
  const url = `${settings.publicUrl}/feeds/${edition.feed}`
  return {
    ...edition,
    latest_full: latest('full'),
    latest_delta: latest('delta'),
    latest_sequence: all.at(-1)?.manifest.sequence,
    latest_url: `${url}/latest`,
    snapshots_url: `${url}/snapshots`,
    deltas_url: `${url}/deltas`,
    schema_url: `${settings.publicUrl}/feeds/schemas/${edition.feed}-${edition.version}.schema.json`,
  }
}

/** Presents a snapshot as an item of a list. */
function presentSummary({ settings }: FeedParts, { manifest }: FeedSnapshot) {
  const { feed, snapshot_id } = manifest
  return {
    snapshot_id,
    sequence: manifest.sequence,
    kind: manifest.kind,
    base_snapshot_id: manifest.base_snapshot_id,
    previous_delta: manifest.previous_delta,
    applies_to: manifest.applies_to,
    created_at: manifest.created_at,
    records: manifest.records,
    upserts: manifest.upserts,
    tombstones: manifest.tombstones,
    bytes: manifest.files.reduce((sum, { bytes }) => sum + bytes, 0),
    manifest_url: `${settings.publicUrl}/feeds/${feed}/snapshots/${snapshot_id}/manifest.json`,
  }
}
