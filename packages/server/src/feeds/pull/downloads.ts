import type { Manifest } from '../../domain/feed.ts'
import type { FeedClient } from './client.ts'
import { download } from './download.ts'
import type { ResultFiles } from './result-state.ts'
import type { ArrivingPart } from './sections.ts'

/** Brings parts one after another, ahead of whoever works on those that have arrived. */
export class Downloads {
  readonly #client: FeedClient
  readonly #files: ResultFiles
  readonly #arrived: (bytes: number) => void
  readonly #stop = new AbortController()
  #last: Promise<unknown> = Promise.resolve()

  /** `arrived` is told how many bytes came; fewer than none where a part begins anew. */
  constructor(client: FeedClient, files: ResultFiles, arrived: (bytes: number) => void) {
    this.#client = client
    this.#files = files
    this.#arrived = arrived
  }

  /** Puts the parts of a snapshot behind those that were asked for before. */
  partsOf(manifest: Manifest): ArrivingPart[] {
    return manifest.files.map(part => {
      const path = this.#files.partOf(manifest.snapshot_id, part.name)
      const address = `feeds/${manifest.feed}/snapshots/${manifest.snapshot_id}/files/${part.name}`
      let have = 0
      const arrived = (bytes: number) => {
        this.#arrived(bytes - have)
        have = bytes
      }
      const coming = this.#last.then(async () => {
        await download(this.#client, address, part, path, arrived, this.#stop.signal)
        return path
      })
      // Whoever waits for the part sees the error; until then nobody listens.
      coming.catch(() => {})
      this.#last = coming
      return { part, path: coming }
    })
  }

  /** Ends what is still on its way. */
  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#last.catch(() => {})
  }
}
