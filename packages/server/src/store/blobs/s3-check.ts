import type { S3 } from '@aws-sdk/client-s3'
import { StoreError } from '../../domain/store-errors.ts'
import { statusOf } from './s3-errors.ts'
import type { ObjectName } from './s3-upload.ts'

/**
 * Writes an object twice, the second time as a whole and in parts, and deletes it. Throws StoreError if the store
 * replaces it in spite of `If-None-Match: *`, or does not know this header: two publishers could then write one name.
 * `store` is its name in messages.
 */
export async function checkConditionalWrites(s3: S3, name: ObjectName, store: string): Promise<void> {
  const put = () => s3.putObject({ ...name, Body: Buffer.from('check'), IfNoneMatch: '*' })
  try {
    await put()
  } catch (error) {
    if (statusOf(error) === 501) refuse('objects')
    throw error
  }
  try {
    if (await isAccepted(put)) refuse('objects')
    if (await isAccepted(() => putInParts(s3, name))) refuse('objects sent in parts')
  } finally {
    await s3.deleteObject(name)
  }

  function refuse(what: string): never {
    const problem = `${store} replaces ${what} although a request has If-None-Match, so that two publishers could write one name.`
    throw new StoreError(`${problem} Use an S3 store with conditional writes, or its newer release.`)
  }
}

/** Returns false if the store refuses the request because of its condition. Throws any other error. */
async function isAccepted(request: () => Promise<unknown>): Promise<boolean> {
  try {
    await request()
    return true
  } catch (error) {
    if (statusOf(error) === 412) return false
    throw error
  }
}

async function putInParts(s3: S3, name: ObjectName): Promise<void> {
  const { UploadId } = await s3.createMultipartUpload({ ...name, ChecksumAlgorithm: 'CRC32' })
  const upload = { ...name, UploadId }
  try {
    const { ETag, ChecksumCRC32 } = await s3.uploadPart({ ...upload, PartNumber: 1, Body: Buffer.from('parts') })
    const Parts = [{ PartNumber: 1, ETag, ChecksumCRC32 }]
    await s3.completeMultipartUpload({ ...upload, IfNoneMatch: '*', MultipartUpload: { Parts } })
  } catch (error) {
    await s3.abortMultipartUpload(upload).catch(() => {})
    throw error
  }
}
