import type { IncomingHttpHeaders } from 'node:http'
import fresh from 'fresh'
import { type Fault, fault, isFault } from '../../../domain/fault.ts'
import { type FeedSnapshot, listParts, type SnapshotFile, type SnapshotPart } from '../../../domain/feed.ts'
import type { FeedLibrary } from '../../../domain/feed-stores.ts'
import type { OperationResult } from '../call.ts'
import { parseRange } from './file-range.ts'

/** `Cache-Control` of resources that never change. */
export const immutable = { 'Cache-Control': 'private, max-age=31536000, immutable' }

/** Returns a file of a feed snapshot as stored, a range of it, or 304 if the client has it. */
export async function serveFeedFile(
  headers: IncomingHttpHeaders,
  feeds: FeedLibrary,
  snapshot: FeedSnapshot,
  name: string,
): Promise<OperationResult | Fault> {
  const { manifest } = snapshot
  const file = listParts(manifest).find(candidate => candidate.name === name)
  if (!file) return fault('feed_file_unknown', { detail: `The manifest of ${manifest.snapshot_id} lists its files.` })
  const stored = await feeds.file(snapshot, file)
  if (!stored) return fault('feed_file_unknown', { detail: `${name} is missing. Get the latest full snapshot.` })
  const ETag = `"${file.sha256}"`
  const result = { entities: 0, snapshot: `${manifest.feed}/${manifest.snapshot_id}`, headers: toFileHeaders(file) }
  if (fresh({ 'if-none-match': headers['if-none-match'] }, { etag: ETag }))
    return { ...result, representation: { status: 304, headers: { ETag }, body: undefined } }
  const range = parseRange(headers, ETag, file.bytes)
  if (range && isFault(range)) return range
  const { start, length } = range ?? { start: 0, length: file.bytes }
  const contentRange = range && { 'Content-Range': `bytes ${start}-${start + length - 1}/${file.bytes}` }
  const body = 'path' in stored ? { ...stored, start, length } : { length, open: () => stored.read({ start, length }) }
  return { ...result, representation: { status: range ? 206 : 200, headers: { ETag, ...contentRange }, body } }
}

const encodedTypes = { zstd: 'application/zstd', gzip: 'application/gzip' } as const

const toFileHeaders = (file: SnapshotFile | SnapshotPart) => ({
  ...immutable,
  'Content-Type': 'encoding' in file ? encodedTypes[file.encoding] : 'application/vnd.apache.parquet',
  'Accept-Ranges': 'bytes',
  // RFC 9530: the digest of the complete file, even if only a range is sent.
  'Repr-Digest': `sha-256=:${Buffer.from(file.sha256, 'hex').toString('base64')}:`,
})
