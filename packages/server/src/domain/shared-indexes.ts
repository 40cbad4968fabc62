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

/** The search indexes that the nodes of a database share, in one format of the files. */
export interface SharedIndexes {
  /** Returns the newest index of a format. */
  newest(format: number): Promise<SharedIndex | undefined>
  /**
   * Adds an index, unless one of its revision or a newer one exists, and forgets old ones. Returns those of
   * all formats that remain.
   */
  add(format: number, index: SharedIndex): Promise<readonly SharedIndex[]>
  /** Takes the lock of the node that builds; undefined if another one has it. */
  lock(): Promise<{ release(): Promise<void> } | undefined>
}
