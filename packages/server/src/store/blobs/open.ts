import type { BlobAddress } from '../../domain/blob-address.ts'
import type { BlobStore } from '../../domain/blob-store.ts'
import { openFolderBlobs } from './folder.ts'

/**
 * Opens the blobs at an address, and checks that they can be used as BlobStore requires. Throws StoreError with the
 * reason if not.
 */
export async function openBlobs(address: BlobAddress): Promise<BlobStore> {
  if (address.kind === 'folder') return openFolderBlobs(address.path)
  // The client of S3 takes long to load, and most services do not use it.
  const { openS3Blobs } = await import('./s3.ts')
  return openS3Blobs(address)
}
