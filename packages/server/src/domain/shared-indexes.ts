/** A file of a search index in the blobs. */
export interface SharedIndexFile {
  /** Name of the file in the folder of a node. */
  readonly name: string
  readonly key: string
  readonly bytes: number
  readonly sha256: string
}

/** A search index in the blobs. */
export interface SharedIndex {
  /** Change number up to which it is built. */
  readonly revision: number
  /** In the order in which a node stores them: the last one completes the index. */
  readonly files: readonly SharedIndexFile[]
}

/** The lock of the process that builds or publishes an index. */
export interface IndexLock {
  /** Aborted when another process has the lock, because the connection that held it had ended. */
  readonly lost: AbortSignal
  release(): Promise<void>
}

/** The search indexes that the nodes of a database share, by the format of their files. */
export interface SharedIndexes {
  /** Returns the newest index of a format. */
  newest(format: number): Promise<SharedIndex | undefined>
  /**
   * Adds an index, unless one of its revision or a newer one exists, and forgets old ones. Returns those of
   * all formats that remain.
   */
  add(format: number, index: SharedIndex): Promise<readonly SharedIndex[]>
  /** Returns the indexes of all formats. */
  all(): Promise<readonly SharedIndex[]>
  /** Removes the indexes with a file that the blobs do not have as it was published. */
  withdraw(key: string): Promise<void>
  /** Returns true while a process builds or publishes an index of a format. */
  isLocked(format: number): Promise<boolean>
  /**
   * Takes the lock of the process that builds or publishes an index of a format; undefined if another one has it. It
   * ends with the process, and after the time in which this was stopped, 10 s by default.
   */
  lock(format: number, silenceMs?: number): Promise<IndexLock | undefined>
}
