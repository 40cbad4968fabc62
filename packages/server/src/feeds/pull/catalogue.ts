import type { KeyObject } from 'node:crypto'
import { type FeedName, feedNames, type Manifest } from '../../domain/feed.ts'
import { isSigned, parseManifest } from '../manifest.ts'
import { findManifestProblem } from '../manifest-check.ts'
import type { FeedClient } from './client.ts'
import { Mismatch, Refused } from './outcome.ts'

/** A feed that the key may download, and its pinned version. */
export interface FeedEntry {
  readonly feed: FeedName
  readonly version: string
  readonly latest_sequence?: number
}

/** Reads the feeds and snapshots of a service, and checks the signature of each manifest. */
export class Catalogue {
  readonly #client: FeedClient
  readonly #key: KeyObject

  constructor(client: FeedClient, key: KeyObject) {
    this.#client = client
    this.#key = key
  }

  /** Returns the feeds of the key, without those that this release does not know. */
  async entries(): Promise<readonly FeedEntry[]> {
    const entries = await this.#client.data<FeedEntry>('feeds')
    return entries
      .filter(({ feed, version }) => feedNames.includes(feed) && version !== undefined)
      .map(entry => ({ ...entry, version: String(entry.version) }))
  }

  /** Returns the newest full snapshot; undefined if it does not exist. */
  async latestFull(entry: FeedEntry): Promise<Manifest | undefined> {
    try {
      return this.#checked(entry, await this.#client.read(`feeds/${entry.feed}/latest?kind=full`))
    } catch (error) {
      if (error instanceof Refused && error.status === 404) return undefined
      throw error
    }
  }

  /** Returns the manifests of the deltas after a sequence number. Throws Refused 410 if some of them are gone. */
  async deltasAfter(entry: FeedEntry, sequence: number): Promise<Manifest[]> {
    const found = await this.#client.data<{ snapshot_id: unknown }>(`feeds/${entry.feed}/deltas?after=${sequence}`)
    const deltas: Manifest[] = []
    for (const { snapshot_id } of found) deltas.push(await this.manifest(entry, String(snapshot_id)))
    return deltas
  }

  async manifest(entry: FeedEntry, snapshotId: string): Promise<Manifest> {
    const path = `feeds/${entry.feed}/snapshots/${encodeURIComponent(snapshotId)}/manifest.json`
    const manifest = this.#checked(entry, await this.#client.read(path))
    if (manifest.snapshot_id !== snapshotId)
      throw new Mismatch(`The service sent the manifest of ${manifest.snapshot_id} instead of ${snapshotId}.`)
    return manifest
  }

  #checked(entry: FeedEntry, bytes: Buffer): Manifest {
    const manifest = parseManifest(bytes.toString())
    const name = manifest?.snapshot_id ?? 'a snapshot'
    if (!isSigned(bytes, this.#key))
      throw new Mismatch(`The manifest of ${name} (${entry.feed}) has no valid signature by the key of the service.`)
    const problem = manifest ? findManifestProblem(manifest, entry) : 'cannot be parsed'
    if (problem !== undefined || !manifest) throw new Mismatch(`The manifest of ${name} (${entry.feed}) ${problem}.`)
    return manifest
  }
}
