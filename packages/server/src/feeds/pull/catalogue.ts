import type { KeyObject } from 'node:crypto'
import { type FeedName, feedNames, type Manifest } from '../../domain/feed.ts'
import { isSigned, parseManifest } from '../manifest.ts'
import type { FeedClient } from './client.ts'
import { Mismatch, Refused } from './outcome.ts'

/** A feed that the key may take, and the version that it is pinned to. */
export interface FeedEntry {
  readonly feed: FeedName
  readonly version: string
  readonly latest_sequence?: number
}

/** What the service has to offer, each manifest proved by its signature. */
export class Catalogue {
  readonly #client: FeedClient
  readonly #key: KeyObject

  constructor(client: FeedClient, key: KeyObject) {
    this.#client = client
    this.#key = key
  }

  /** Feeds that this release does not know are left out. */
  async entries(): Promise<readonly FeedEntry[]> {
    const entries = await this.#client.data<FeedEntry>('feeds')
    return entries
      .filter(({ feed, version }) => feedNames.includes(feed) && version !== undefined)
      .map(entry => ({ ...entry, version: String(entry.version) }))
  }

  /** Undefined where none is there. */
  async latestFull(entry: FeedEntry): Promise<Manifest | undefined> {
    try {
      return this.#proved(entry, await this.#client.read(`feeds/${entry.feed}/latest?kind=full`))
    } catch (error) {
      if (error instanceof Refused && error.status === 404) return undefined
      throw error
    }
  }

  /** The manifests of the deltas after a sequence. Throws Refused 410 when they are no longer complete. */
  async deltasAfter(entry: FeedEntry, sequence: number): Promise<Manifest[]> {
    const found = await this.#client.data<{ snapshot_id: unknown }>(`feeds/${entry.feed}/deltas?after=${sequence}`)
    const deltas: Manifest[] = []
    for (const { snapshot_id } of found) deltas.push(await this.manifest(entry, String(snapshot_id)))
    return deltas
  }

  async manifest(entry: FeedEntry, snapshotId: string): Promise<Manifest> {
    const path = `feeds/${entry.feed}/snapshots/${encodeURIComponent(snapshotId)}/manifest.json`
    const manifest = this.#proved(entry, await this.#client.read(path))
    if (manifest.snapshot_id !== snapshotId)
      throw new Mismatch(`The manifest of ${snapshotId} is that of ${manifest.snapshot_id}.`)
    return manifest
  }

  #proved(entry: FeedEntry, bytes: Buffer): Manifest {
    const manifest = parseManifest(bytes.toString())
    const name = manifest?.snapshot_id ?? 'a snapshot'
    if (!isSigned(bytes, this.#key))
      throw new Mismatch(`The manifest of ${name} (${entry.feed}) does not bear the signature of the service's key.`)
    const wrong = manifest ? mistakeIn(manifest, entry) : 'cannot be read'
    if (wrong !== undefined || !manifest) throw new Mismatch(`The manifest of ${name} (${entry.feed}) ${wrong}.`)
    return manifest
  }
}

/** What becomes a file name here. */
const plainName = /^\w[\w.-]*$/

function mistakeIn(manifest: Manifest, { feed, version }: FeedEntry): string | undefined {
  const { files } = manifest
  if (manifest.feed !== feed || String(manifest.version) !== version)
    return `is of ${manifest.feed} in version ${manifest.version}, where version ${version} was to come`
  if (![manifest.snapshot_id, ...files.map(file => file.name)].every(name => plainName.test(name)))
    return 'has names that no file may have'
  if (!Number.isSafeInteger(manifest.sequence) || !/^[0-9a-f]{64}$/.test(manifest.checksum_of_result))
    return 'lacks its sequence or checksum_of_result'
  const unknown = files.find(({ encoding }) => encoding !== 'zstd' && encoding !== 'gzip')
  if (unknown) return `has a file in ${unknown.encoding}, which this release cannot unpack`
  if (files.reduce((sum, file) => sum + file.records, 0) !== manifest.records)
    return 'names other numbers of records for its files than for the whole'
  return undefined
}
