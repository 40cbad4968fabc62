import type { FeedDownload } from './feed-stores.ts'

/** The feed downloads of a key. */
export interface KeyDownloads {
  /** Number of open downloads. */
  readonly open: number
  /** Snapshots whose download started since a time, oldest first. */
  readonly started: readonly FeedDownload[]
}

/** An open download. */
export interface DownloadLease {
  /** A UUID. */
  readonly id: string
  readonly keyId: string
}

/** A download that may start. */
export interface AdmittedDownload {
  /** The snapshot to store as started; undefined if it counts already. */
  readonly snapshot: FeedDownload | undefined
}

/**
 * The open feed downloads of a node, which all nodes of a database count. A lease ends a minute after it was
 * last renewed, by the clock of the database. Every method throws StoreFailure while the database is not available.
 */
export interface DownloadLeases {
  /**
   * Reads the downloads of a key, with those that started at `sinceMs` or later, and opens the lease if `decide` admits
   * it, atomically: two calls for one key never decide on the same state.
   */
  open(
    lease: DownloadLease,
    sinceMs: number,
    decide: (downloads: KeyDownloads) => AdmittedDownload | undefined,
  ): Promise<void>
  /** Extends leases; those that have ended meanwhile are open again, because their downloads are. */
  renew(leases: readonly DownloadLease[]): Promise<void>
  /** Ends leases; unknown ids are not an error. */
  end(ids: readonly string[]): Promise<void>
  /** Returns the downloads of a key on all nodes, with those that started at `sinceMs` or later. */
  downloadsOf(keyId: string, sinceMs: number): Promise<KeyDownloads>
  close(): Promise<void>
}
