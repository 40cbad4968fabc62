import type { Config } from '../config/load.ts'
import type { BlobStore } from '../domain/blob-store.ts'
import { findBlobs } from './blobs.ts'

/**
 * Returns the configured blobs, which are opened by their first use: a node whose blobs cannot be reached still answers
 * calls and folds its journal. Undefined without blobs.
 */
export function findLazyBlobs({ blobs }: { readonly blobs?: Config['blobs'] | undefined }): BlobStore | undefined {
  if (blobs === undefined) return undefined
  const open = (): Promise<BlobStore> => findBlobs({ blobs })!
  return {
    name: blobs,
    put: async (...args) => (await open()).put(...args),
    get: async (...args) => (await open()).get(...args),
    head: async key => (await open()).head(key),
    list: async function* list(prefix) {
      yield* (await open()).list(prefix)
    },
    delete: async key => (await open()).delete(key),
    // All users of a thread share them.
    close: async () => {},
  }
}
