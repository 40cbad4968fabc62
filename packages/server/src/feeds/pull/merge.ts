import { hash } from 'node:crypto'
import { ResultChecksum } from './checksum.ts'
import type { RecordStream } from './records.ts'
import type { ResultFile } from './result-file.ts'

/** What a merge has read and written, for the checks against the manifests. */
export interface Merged {
  readonly base: ResultChecksum
  readonly result: ResultChecksum
}

/**
 * Writes the base with the changes made to it, both in ascending order of id, in one pass. Each line is digested once,
 * for the checksum of the base and for that of the result. `step` is told now and then how many lines were read.
 */
export async function merge(
  base: RecordStream,
  changes: RecordStream,
  result: ResultFile,
  step: (lines: number) => void,
): Promise<Merged> {
  const merged = { base: new ResultChecksum(), result: new ResultChecksum() }
  let isBase = await base.more()
  let isChange = await changes.more()
  let lines = 0
  while (isBase || isChange) {
    const unchanged = isBase && (!isChange || base.key < changes.key)
    const digest = isBase && (unchanged || base.key === changes.key) ? digestOf(base) : undefined
    if (digest !== undefined) merged.base.add(base.key, digest)
    const line = unchanged ? base : changes
    if (unchanged || !changes.tombstone) {
      const length = line.end - line.start
      if (!result.hasRoom(length)) await result.makeRoom(length)
      result.add(line.bytes, line.start, line.end)
      merged.result.add(line.key, unchanged ? digest! : digestOf(line))
    }
    if (digest !== undefined) isBase = base.tryNext() || (await base.more())
    if (!unchanged) isChange = changes.tryNext() || (await changes.more())
    if (++lines % 1024 === 0) step(lines)
  }
  return merged
}

export const digestOf = ({ bytes, start, end }: RecordStream): string =>
  hash('sha256', bytes.subarray(start, end), 'hex')
