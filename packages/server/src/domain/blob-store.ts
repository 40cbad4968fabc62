/**
 * Files that all nodes share, by key: published feeds and other files that are written once and read often. A key is
 * visible with all its bytes or not at all, whenever a writer is killed.
 */
export interface BlobStore {
  /** Name of the store in messages, without secrets. */
  readonly name: string
  /**
   * Stores a file. With `onlyIfAbsent`, a key that exists keeps its bytes: of several writers of one key, exactly one
   * gets `stored`. The file must not change meanwhile.
   */
  put(key: string, file: string, options?: { readonly onlyIfAbsent?: boolean }): Promise<'stored' | 'exists'>
  /** Opens a blob, or a range of it; undefined if the key does not exist. The caller reads the body or destroys it. */
  get(key: string, range?: BlobRange): Promise<BlobBody | undefined>
  /** Returns the size of a blob; undefined if the key does not exist. */
  head(key: string): Promise<{ readonly bytes: number } | undefined>
  /** Yields the blobs whose keys begin with `prefix`, in no particular order. */
  list(prefix: string): AsyncIterable<BlobEntry>
  /** Deletes a blob. A missing key is not an error. */
  delete(key: string): Promise<void>
  close(): Promise<void>
}

/** A range of a blob in bytes. The part of it behind the end of the blob is ignored. */
export interface BlobRange {
  readonly start: number
  readonly length: number
}

export interface BlobEntry {
  readonly key: string
  readonly bytes: number
}

/** Bytes of a blob. Reading fails with StoreFailure if the store does. */
export interface BlobBody extends AsyncIterable<Uint8Array> {
  /** Releases the connection or file of a body that is not read to its end. */
  destroy(): void
}

/** Thrown for a text that is no key. */
export class InvalidBlobKey extends Error {
  constructor(key: string) {
    super(`${JSON.stringify(key.slice(0, 100))} is not a key of a blob.`)
  }
}

const maxKeyLength = 512
const segment = /^[a-z0-9](?:[a-z0-9._-]{0,198}[a-z0-9])?$/

/**
 * Returns true for keys that every store accepts, also one in a file system that ignores case: segments of a-z, 0-9, `.`,
 * `_` and `-`, separated by `/`, that begin and end with a letter or digit. No key may be a folder of another one.
 */
export const isBlobKey = (text: string): boolean =>
  text.length <= maxKeyLength && text.split('/').every(part => segment.test(part))

/** Throws InvalidBlobKey for a text that is no key. */
export function requireBlobKey(text: string): string {
  if (!isBlobKey(text)) throw new InvalidBlobKey(text)
  return text
}

/** Throws InvalidBlobKey for a text that no key begins with. */
export function requireBlobPrefix(text: string): string {
  // A letter completes the last segment.
  if (!isBlobKey(`${text}a`)) throw new InvalidBlobKey(text)
  return text
}

/** Throws RangeError for a range that is no part of any blob. */
export function requireBlobRange({ start, length }: BlobRange): void {
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(length) || start < 0 || length < 0)
    throw new RangeError(`A range of a blob cannot start at ${start} and have ${length} bytes.`)
}
