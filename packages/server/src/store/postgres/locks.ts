/**
 * Numbers of the advisory locks. Locks within transactions are taken in this order, so that transactions never wait for
 * one another in a circle.
 */
export const locks = {
  /** Held while a migration runs. */
  schema: 7_370_000_001,
  /** Held by each transaction that writes records, so that lines of the change log are committed in their order. */
  data: 7_370_000_002,
  /** Held by each transaction that changes keys, partners, people or decisions. */
  control: 7_370_000_003,
  /** Held by an import, by a build of feeds, and by the process that serves. */
  import: 7_370_000_005,
  feeds: 7_370_000_006,
  serve: 7_370_000_007,
  /** Held by the process that moves the contents to a data folder, from which on services end. */
  move: 7_370_000_009,
  /** Held by the elected worker, and shared by all processes that only work. */
  worker: 7_370_000_010,
  workers: 7_370_000_011,
  /**
   * First numbers of locks that have two; the second one is a digest of the key, or of the job and the role, or the
   * format of the search index.
   */
  feedDownloads: 737,
  jobs: 738,
  /** Held by the process that builds or publishes the search index of a format. */
  indexes: 739,
} as const
