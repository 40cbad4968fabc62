import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { S3 } from '@aws-sdk/client-s3'
import { describeBlobAddress, type S3Address } from '../../domain/blob-address.ts'
import {
  type BlobBody,
  type BlobEntry,
  type BlobRange,
  type BlobStore,
  isBlobKey,
  requireBlobKey,
  requireBlobPrefix,
  requireBlobRange,
} from '../../domain/blob-store.ts'
import { createBody } from './body.ts'
import { ResumingBody } from './resuming-body.ts'
import { checkConditionalWrites } from './s3-check.ts'
import { isMissingKey, statusOf, toS3Failure } from './s3-errors.ts'
import { type ObjectName, uploadFile } from './s3-upload.ts'

/** Maximum time to connect, and of a connection without any byte, in milliseconds. */
const connectLimitMs = 3_000
const idleLimitMs = 30_000
/** Number of attempts of a request that fails for a temporary reason. */
const maxAttempts = 4

/**
 * Opens blobs in a bucket of an S3 store. Credentials come from the environment, the files of AWS, or the role of the
 * machine. Throws StoreError if the store cannot be used, or ignores conditions of writes.
 */
export async function openS3Blobs(address: S3Address): Promise<BlobStore> {
  const { S3 } = await import('@aws-sdk/client-s3')
  const { endpoint, region = endpoint && (process.env.AWS_REGION ?? 'us-east-1') } = address
  const client = new S3({
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    ...(region !== undefined && { region }),
    maxAttempts,
    requestHandler: { connectionTimeout: connectLimitMs, socketTimeout: idleLimitMs },
    // Ranges have no checksum; files that need one have their SHA-256 in a manifest.
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  const blobs = new S3Blobs(client, address)
  try {
    await blobs.check()
    return blobs
  } catch (error) {
    await blobs.close()
    throw error
  }
}

/** Blobs as objects of an S3 store. `If-None-Match: *` makes the store refuse a second object of one name. */
class S3Blobs implements BlobStore {
  readonly name: string
  readonly #s3: S3
  readonly #address: S3Address

  constructor(s3: S3, address: S3Address) {
    this.name = describeBlobAddress(address)
    this.#s3 = s3
    this.#address = address
  }

  /** Throws StoreError if the bucket cannot be used, or the store does not refuse a second object of one name. */
  check(): Promise<void> {
    const { bucket, prefix } = this.#address
    // The name is no key, so that lists never have it.
    const name = { Bucket: bucket, Key: `${prefix}.check-${randomUUID()}` }
    return this.#guard(() => checkConditionalWrites(this.#s3, name, this.name))
  }

  put(key: string, file: string, { onlyIfAbsent = false } = {}): Promise<'stored' | 'exists'> {
    const name = this.#nameOf(key)
    return this.#guard(() => uploadFile(this.#s3, name, file, onlyIfAbsent))
  }

  get(key: string, range?: BlobRange): Promise<BlobBody | undefined> {
    const name = this.#nameOf(key)
    if (range) requireBlobRange(range)
    return this.#guard(async () => {
      if (range?.length === 0) return (await this.#exists(name)) ? Readable.from([]) : undefined
      const start = range?.start ?? 0
      const end = range && start + range.length
      try {
        const { body, bytes, etag } = await this.#request(name, start, end)
        const reopen = async (done: number) => (await this.#request(name, start + done, start + bytes, etag)).body
        return createBody(new ResumingBody({ source: body, bytes }, reopen), error => toS3Failure(error, this.name))
      } catch (error) {
        // The range begins at the end of the object or behind it.
        if (statusOf(error) === 416) return Readable.from([])
        if (isMissingKey(error)) return undefined
        throw error
      }
    })
  }

  head(key: string): Promise<{ readonly bytes: number } | undefined> {
    const name = this.#nameOf(key)
    return this.#guard(async () => {
      try {
        return { bytes: (await this.#s3.headObject(name)).ContentLength ?? 0 }
      } catch (error) {
        if (isMissingKey(error)) return undefined
        throw error
      }
    })
  }

  async *list(prefix: string): AsyncGenerator<BlobEntry> {
    requireBlobPrefix(prefix)
    const { bucket, prefix: start } = this.#address
    let token: string | undefined
    do {
      const page = await this.#guard(() =>
        this.#s3.listObjectsV2({ Bucket: bucket, Prefix: start + prefix, ContinuationToken: token }),
      )
      for (const { Key = '', Size = 0 } of page.Contents ?? []) {
        const key = Key.slice(start.length)
        if (isBlobKey(key)) yield { key, bytes: Size }
      }
      token = page.IsTruncated ? page.NextContinuationToken : undefined
    } while (token !== undefined)
  }

  delete(key: string): Promise<void> {
    const name = this.#nameOf(key)
    return this.#guard(async () => {
      await this.#s3.deleteObject(name)
    })
  }

  async close(): Promise<void> {
    this.#s3.destroy()
  }

  /** Requests the bytes from `start` to before `end`; with `etag`, of the same object only. */
  async #request(name: ObjectName, start: number, end: number | undefined, etag?: string) {
    const Range = start === 0 && end === undefined ? undefined : `bytes=${start}-${end === undefined ? '' : end - 1}`
    const { Body, ContentLength, ETag } = await this.#s3.getObject({ ...name, Range, IfMatch: etag })
    if (!(Body instanceof Readable)) throw new Error('The answer has no body.')
    return { body: Body, bytes: ContentLength ?? 0, etag: ETag }
  }

  async #exists(name: ObjectName): Promise<boolean> {
    try {
      await this.#s3.headObject(name)
      return true
    } catch (error) {
      if (isMissingKey(error)) return false
      throw error
    }
  }

  #nameOf(key: string): ObjectName {
    return { Bucket: this.#address.bucket, Key: this.#address.prefix + requireBlobKey(key) }
  }

  async #guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw toS3Failure(error, this.name)
    }
  }
}
