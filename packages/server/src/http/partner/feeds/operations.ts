import { join } from 'node:path'
import { type Fault, fault, isFault } from '../../../domain/fault.ts'
import { type Edition, type FeedSnapshot, feedNames, type Manifest, type SnapshotFile } from '../../../domain/feed.ts'
import { findFeedSnapshot, latestFeedSnapshot } from '../../../usecases/partner/find-feed-snapshot.ts'
import { listFeedDeltas } from '../../../usecases/partner/list-feed-deltas.ts'
import {
  choice,
  integer,
  type ParamSet,
  readParams,
  required,
  type Values,
  withDefault,
} from '../../../versions/primitives/param.ts'
import { Rendered } from '../../wire/rendered.ts'
import type { Call, Worked } from '../operations.ts'
import { render } from '../render.ts'
import { editionOf, pinSignals } from './edition.ts'
import { rangeOf } from './file-range.ts'

/** The parameters of the operations on feeds, which are the same in every version. */
export const feedParams = {
  getLatestFeedManifest: {
    kind: withDefault(choice(['full', 'delta'], { description: 'Which kind of snapshot.' }), 'full'),
  },
  listFeedDeltas: {
    after: required(
      integer({
        minimum: 0,
        description: 'The sequence number of the snapshot that you have; 0 for all that are kept.',
      }),
    ),
  },
} satisfies Readonly<Record<string, ParamSet>>

/** What is looked up anew every time, and what never changes. */
const fresh = { 'Cache-Control': 'private, no-cache' }
const immutable = { 'Cache-Control': 'private, max-age=31536000, immutable' }

/** Bulk delivery: what each of its operations does. */
export const feedOperations = {
  listFeeds: async (call: Call): Promise<Worked> => {
    const editions = feedNames.map(feed => editionOf(call.key, feed, call.service.settings.endedFeedVersions))
    const open = editions.filter((edition): edition is Edition => !isFault(edition))
    const data = await Promise.all(open.map(edition => described(call, edition)))
    const { publicUrl } = call.service.settings
    const body = { data, public_key_url: `${publicUrl}/feeds/public-key.pem` }
    return { ...listing(body), ...toldOf(call, open) }
  },

  listFeedSnapshots: (call: Call) =>
    inEdition(call, async edition => {
      const all = await call.service.feeds.list(edition)
      return listing({ data: all.map(snapshot => summary(call, snapshot)) })
    }),

  getFeedManifest: (call: Call) =>
    inEdition(call, async edition => {
      const found = await findFeedSnapshot(call.service.feeds, edition, call.params.snapshot!)
      return isFault(found) ? found : manifestOf(found, immutable)
    }),

  getLatestFeedManifest: (call: Call) =>
    inEdition(call, async edition => {
      const args = read(feedParams.getLatestFeedManifest, call)
      if (isFault(args)) return args
      const found = await latestFeedSnapshot(call.service.feeds, edition, args.kind)
      return isFault(found) ? found : manifestOf(found, fresh)
    }),

  listFeedDeltas: (call: Call) =>
    inEdition(call, async edition => {
      const args = read(feedParams.listFeedDeltas, call)
      if (isFault(args)) return args
      const deltas = await listFeedDeltas(call.service.feeds, edition, args.after)
      return isFault(deltas) ? deltas : listing({ data: deltas.map(snapshot => summary(call, snapshot)) })
    }),

  downloadFeedFile: (call: Call) =>
    inEdition(call, async edition => {
      const found = await findFeedSnapshot(call.service.feeds, edition, call.params.snapshot!)
      if (isFault(found)) return found
      const file = found.manifest.files.find(({ name }) => name === call.params.name)
      if (!file) {
        return fault('feed_file_unknown', { detail: `The manifest of ${found.manifest.snapshot_id} lists its files.` })
      }
      return download(call, found, file)
    }),
}

/** Runs `work` in the edition that the key is pinned to; the answer says so when that version is deprecated. */
async function inEdition(call: Call, work: (edition: Edition) => Promise<Worked | Fault>): Promise<Worked | Fault> {
  const edition = editionOf(call.key, call.params.feed!, call.service.settings.endedFeedVersions)
  if (isFault(edition)) return edition
  const worked = await work(edition)
  return isFault(worked) ? worked : { ...worked, ...toldOf(call, [edition]) }
}

function toldOf({ service }: Call, editions: readonly Edition[]): Pick<Worked, 'lifecycleHeaders'> {
  const pinned = editions.map(({ version }) => version)
  const lifecycleHeaders = pinSignals(service.lifecycle, pinned, service.settings.publicUrl, service.clock.nowMs())
  return lifecycleHeaders ? { lifecycleHeaders } : {}
}

function read<S extends ParamSet>(set: S, { query }: Call): Values<S> | Fault {
  const outcome = readParams(set, query)
  return 'values' in outcome ? outcome.values : fault('parameters_invalid', { fieldErrors: outcome.errors })
}

const listing = (body: object): Worked => ({ rendered: render(body), entities: 0, headers: fresh })

const manifestOf = ({ bytes }: FeedSnapshot, headers: Readonly<Record<string, string>>): Worked => ({
  rendered: new Rendered(bytes),
  entities: 0,
  headers,
})

/** A feed as `GET /feeds` lists it. */
async function described({ service }: Call, edition: Edition) {
  const all = await service.feeds.list(edition)
  const latest = (kind: Manifest['kind']) =>
    all.findLast(({ manifest }) => manifest.kind === kind)?.manifest.snapshot_id
  const url = `${service.settings.publicUrl}/feeds/${edition.feed}`
  return {
    ...edition,
    latest_full: latest('full'),
    latest_delta: latest('delta'),
    latest_sequence: all.at(-1)?.manifest.sequence,
    latest_url: `${url}/latest`,
    snapshots_url: `${url}/snapshots`,
    deltas_url: `${url}/deltas`,
    schema_url: `${service.settings.publicUrl}/feeds/schemas/${edition.feed}-${edition.version}.schema.json`,
  }
}

/** A snapshot in a list. */
function summary({ service }: Call, { manifest }: FeedSnapshot) {
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
    manifest_url: `${service.settings.publicUrl}/feeds/${feed}/snapshots/${snapshot_id}/manifest.json`,
  }
}

/** A file as it is stored, or a range of it; nothing of it to a client that holds it. */
function download({ headers }: Call, { folder, manifest }: FeedSnapshot, file: SnapshotFile): Worked | Fault {
  const ETag = `"${file.sha256}"`
  const worked = {
    entities: 0,
    snapshot: `${manifest.feed}/${manifest.snapshot_id}`,
    headers: {
      ...immutable,
      'Content-Type': file.encoding === 'zstd' ? 'application/zstd' : 'application/gzip',
      'Accept-Ranges': 'bytes',
      // RFC 9530: of the whole file, whatever part of it is sent.
      'Repr-Digest': `sha-256=:${Buffer.from(file.sha256, 'hex').toString('base64')}:`,
    },
  }
  if (isHeld(headers['if-none-match'], ETag))
    return { ...worked, representation: { status: 304, headers: { ETag }, body: undefined } }
  const range = rangeOf(headers, ETag, file.bytes)
  if (range && isFault(range)) return range
  const { start, length } = range ?? { start: 0, length: file.bytes }
  const told = range && { 'Content-Range': `bytes ${start}-${start + length - 1}/${file.bytes}` }
  const body = { path: join(folder, file.name), start, length }
  return { ...worked, representation: { status: range ? 206 : 200, headers: { ETag, ...told }, body } }
}

/** RFC 9110 §13.1.2. */
const isHeld = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch?.split(',').some(tag => ['*', etag, `W/${etag}`].includes(tag.trim())) ?? false
