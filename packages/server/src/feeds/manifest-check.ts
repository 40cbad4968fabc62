import { type Edition, listParts, type Manifest, type SnapshotPart } from '../domain/feed.ts'
import { isPartName, safeName } from './snapshot-names.ts'

const hexSha256 = /^[0-9a-f]{64}$/
const encodings: readonly unknown[] = ['zstd', 'gzip']

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0

/**
 * Describes the first problem of a manifest of an edition, as the end of a sentence; undefined if it is valid. The
 * service applies it to the manifests that it reads from disk, and the client to those that it receives.
 */
export function findManifestProblem(manifest: Manifest, { feed, version }: Edition): string | undefined {
  if (manifest.feed !== feed || String(manifest.version) !== version)
    return `is for ${manifest.feed} in version ${manifest.version} instead of ${feed} in version ${version}`
  const { files, parquet_files = [] } = manifest
  if (!Array.isArray(parquet_files)) return 'has parquet_files that are not a list'
  const parts = listParts(manifest)
  const names = parts.map(file => file?.name)
  if (!safeName.test(manifest.snapshot_id) || !names.every(isPartName))
    return 'has names that are not safe as file names'
  if (new Set(names).size < names.length) return 'has two files with the same name'
  if (!Number.isSafeInteger(manifest.sequence) || manifest.sequence < 1 || !hexSha256.test(manifest.checksum_of_result))
    return 'lacks its sequence or checksum_of_result'
  const unknown = files.find(({ encoding }) => !encodings.includes(encoding))
  if (unknown) return `has a file in ${unknown.encoding}, which this release cannot decompress`
  if (!parts.every(({ bytes, records, sha256 }) => isCount(bytes) && isCount(records) && hexSha256.test(sha256)))
    return 'lacks the size, the number of records or the SHA-256 of a file'
  const isComplete = (list: readonly SnapshotPart[]) =>
    list.reduce((sum, file) => sum + file.records, 0) === manifest.records
  if (!isComplete(files) || (manifest.parquet_files !== undefined && !isComplete(parquet_files)))
    return 'has a total number of records that differs from the sum of its files'
  return undefined
}
