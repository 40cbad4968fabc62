import type { Manifest, SnapshotPart } from '../../domain/feed.ts'
import type { FeedClient } from './client.ts'
import { download } from './download.ts'
import type { QueuedPart } from './sections.ts'

/** The files of downloads. */
interface PartFolder {
  /** Returns the path of a part, and creates its folder. */
  createPartPath(snapshotId: string, name: string): string
}

/** Downloads parts sequentially, while the caller reads the completed parts. */
export class DownloadQueue {
  readonly #client: FeedClient
  readonly #files: PartFolder
  readonly #progress: (bytes: number) => void
  readonly #stop = new AbortController()
  #last: Promise<unknown> = Promise.resolve()

  /** `progress` receives numbers of downloaded bytes; a negative number if the download of a part starts over. */
  constructor(client: FeedClient, files: PartFolder, progress: (bytes: number) => void) {
    this.#client = client
    this.#files = files
    this.#progress = progress
  }

  /** Appends parts of a snapshot to the queue. */
  add<Part extends SnapshotPart>(manifest: Manifest, parts: readonly Part[]): QueuedPart<Part>[] {
    return parts.map(part => {
      const path = this.#files.createPartPath(manifest.snapshot_id, part.name)
      const address = `feeds/${manifest.feed}/snapshots/${manifest.snapshot_id}/files/${part.name}`
      let reported = 0
      const progress = (bytes: number) => {
        this.#progress(bytes - reported)
        reported = bytes
      }
      const downloading = this.#last.then(async () => {
        await download(this.#client, address, part, path, progress, this.#stop.signal)
        return path
      })
      // The reader of the part handles the error later.
      downloading.catch(() => {})
      this.#last = downloading
      return { part, path: downloading }
    })
  }

  /** Aborts the current download and waits for its end. */
  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#last.catch(() => {})
  }
}
