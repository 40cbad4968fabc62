import { hash } from 'node:crypto'
import { ResultChecksum } from './checksum.ts'
import type { RecordKey } from './record-key.ts'
import type { RecordStream } from './records.ts'
import type { ResultFile } from './result-file.ts'

/** Checksums of the base and of the result, for comparison with the manifests. */
export interface MergeChecksums {
  readonly base: ResultChecksum
  readonly result: ResultChecksum
}

const progressEvery = 1024

/**
 * Applies changes to a base in one pass and writes the result; both streams are in ascending order of id. Each line is
 * hashed only once. Calls `progress` periodically with the number of lines read.
 */
export async function merge(
  base: RecordStream,
  changes: RecordStream,
  result: ResultFile,
  progress: (lines: number) => void,
): Promise<MergeChecksums> {
  const checksums = { base: new ResultChecksum(), result: new ResultChecksum() }
  let hasBase = await base.more()
  let hasChange = await changes.more()
  let lines = 0
  while (hasBase || hasChange) {
    const order = !hasChange ? -1 : !hasBase ? 1 : compareKeys(base.key, changes.key)
    const [takesBase, takesChange] = [order <= 0, order >= 0]
    const digest = takesBase ? hashLine(base) : undefined
    if (digest !== undefined) checksums.base.add(base.key, digest)
    const writing = takesChange
      ? write(changes, undefined, result, checksums.result)
      : write(base, digest, result, checksums.result)
    if (writing) await writing
    if (takesBase) hasBase = base.tryNext() || (await base.more())
    if (takesChange) hasChange = changes.tryNext() || (await changes.more())
    if (++lines % progressEvery === 0) progress(lines)
  }
  return checksums
}

/** Writes the current line unless it is a tombstone. Returns a promise only if the buffer must be flushed first. */
function write(
  line: RecordStream,
  digest: string | undefined,
  result: ResultFile,
  checksum: ResultChecksum,
): Promise<void> | undefined {
  if (line.tombstone) return undefined
  checksum.add(line.key, digest ?? hashLine(line))
  return result.add(line.bytes, line.start, line.end)
}

const compareKeys = (a: RecordKey, b: RecordKey): number => (a < b ? -1 : a === b ? 0 : 1)

/** Returns the SHA-256 of the current line in hex. */
export const hashLine = ({ bytes, start, end }: RecordStream): string =>
  hash('sha256', bytes.subarray(start, end), 'hex')
