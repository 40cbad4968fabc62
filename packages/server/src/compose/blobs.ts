import type { Config } from '../config/load.ts'
import { parseBlobAddress } from '../domain/blob-address.ts'
import type { BlobStore } from '../domain/blob-store.ts'
import { openBlobs } from '../store/blobs/open.ts'
import { reportErrors, withReportedErrors } from './blob-errors.ts'

/** Blobs of this thread by their address. Idle connections do not keep a process running. */
const opened = new Map<string, Promise<BlobStore>>()

/**
 * Returns the configured blobs, which stay open; undefined if files stay in the data folder. The first call of a thread
 * checks that they can be used. Rejects with StoreError.
 */
export function findBlobs({ blobs: text }: Pick<Config, 'blobs'>): Promise<BlobStore> | undefined {
  if (text === undefined) return undefined
  const known = opened.get(text)
  if (known) return known
  const address = parseBlobAddress(text)
  if (typeof address === 'string') throw new Error(address)
  const blobs = reportErrors('open', openBlobs(address)).then(withReportedErrors)
  opened.set(text, blobs)
  // The next call tries again.
  blobs.catch(() => opened.delete(text))
  return blobs
}
