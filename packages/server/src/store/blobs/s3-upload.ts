import { randomUUID } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import type { S3 } from '@aws-sdk/client-s3'
import { isMissingKey, statusOf } from './s3-errors.ts'

/** The object that an upload creates. */
export interface ObjectName {
  readonly Bucket: string
  readonly Key: string
}

/** Size of the parts of an upload, in bytes; larger files have larger parts, because an upload has at most 10,000. */
const minPartBytes = 16 << 20
const maxParts = 10_000
/** Number of parts that are sent at the same time. */
const concurrency = 3
/** Number of attempts of an upload that conflicts with another change of its key. */
const maxAttempts = 5

/** An upload in progress. The store keeps `Metadata` with the object. */
interface Upload extends ObjectName {
  readonly Metadata: { readonly writer: string }
}

/** Uploads a file, in parts if it is large. The object appears with its last request. */
export async function uploadFile(
  s3: S3,
  name: ObjectName,
  path: string,
  onlyIfAbsent: boolean,
): Promise<'stored' | 'exists'> {
  const upload = { ...name, Metadata: { writer: randomUUID() } }
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const send = size > minPartBytes ? sendParts : sendWhole
    for (let attempt = 1; ; attempt++) {
      try {
        // A large file is not sent in vain.
        if (onlyIfAbsent && send === sendParts && (await findWriter(s3, name)) !== undefined) return 'exists'
        await send(s3, upload, file, size, onlyIfAbsent ? { IfNoneMatch: '*' } : {})
        return 'stored'
      } catch (error) {
        const outcome = await findOutcome(s3, upload, error)
        if (outcome !== undefined) return outcome
        if (statusOf(error) !== 409 || attempt === maxAttempts) throw error
      }
    }
  } finally {
    await file.close()
  }
}

type Condition = { readonly IfNoneMatch?: '*' }

async function sendWhole(s3: S3, upload: Upload, file: FileHandle, size: number, condition: Condition): Promise<void> {
  await s3.putObject({ ...upload, ...condition, Body: await readPart(file, 0, size) })
}

async function sendParts(s3: S3, upload: Upload, file: FileHandle, size: number, condition: Condition): Promise<void> {
  const { Metadata, ...name } = upload
  const { UploadId } = await s3.createMultipartUpload({ ...name, Metadata, ChecksumAlgorithm: 'CRC32' })
  const partBytes = Math.max(minPartBytes, Math.ceil(size / maxParts))
  const numbers = Array.from({ length: Math.ceil(size / partBytes) }, (_, index) => index + 1)
  const parts: { PartNumber: number; ETag?: string | undefined; ChecksumCRC32?: string | undefined }[] = []
  let hasFailed = false
  const sendNext = async () => {
    for (let number = numbers.shift(); number !== undefined && !hasFailed; number = numbers.shift()) {
      const start = (number - 1) * partBytes
      const Body = await readPart(file, start, Math.min(partBytes, size - start))
      const { ETag, ChecksumCRC32 } = await s3.uploadPart({ ...name, UploadId, PartNumber: number, Body })
      parts.push({ PartNumber: number, ETag, ChecksumCRC32 })
    }
  }
  const sending = Array.from({ length: concurrency }, () =>
    sendNext().catch(error => {
      hasFailed = true
      throw error
    }),
  )
  try {
    await Promise.all(sending)
    const Parts = parts.toSorted((a, b) => a.PartNumber - b.PartNumber)
    await s3.completeMultipartUpload({ ...name, ...condition, UploadId, MultipartUpload: { Parts } })
  } catch (error) {
    await Promise.allSettled(sending)
    // A lifecycle rule of the bucket deletes the parts if this fails.
    await s3.abortMultipartUpload({ ...name, UploadId }).catch(() => {})
    throw error
  }
}

async function readPart(file: FileHandle, start: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length)
  for (let done = 0; done < length; ) {
    const { bytesRead } = await file.read(bytes, done, length - done, start + done)
    if (bytesRead === 0) throw new Error('The file became shorter while it was uploaded.')
    done += bytesRead
  }
  return bytes
}

/**
 * Returns the outcome of an upload after an error, and undefined if it failed. The client repeats a request whose reply
 * was lost; then the object of this upload, or the missing list of its parts, is in its own way.
 */
async function findOutcome(s3: S3, upload: Upload, error: unknown): Promise<'stored' | 'exists' | undefined> {
  const isRefused = statusOf(error) === 412
  if (!isRefused && (error as Error).name !== 'NoSuchUpload') return undefined
  const writer = await findWriter(s3, upload)
  if (writer === upload.Metadata.writer) return 'stored'
  return isRefused ? 'exists' : undefined
}

/** Returns who wrote an object, empty if it is unknown; undefined if the object does not exist. */
async function findWriter(s3: S3, { Bucket, Key }: ObjectName): Promise<string | undefined> {
  try {
    return (await s3.headObject({ Bucket, Key })).Metadata?.writer ?? ''
  } catch (error) {
    if (isMissingKey(error)) return undefined
    throw error
  }
}
