import { hash } from 'node:crypto'
import type { RecordId } from '../domain/feed.ts'
import type { DigestReader } from './digest-reader.ts'
import type { DigestWriter } from './digest-writer.ts'
import type { FeedLine } from './records.ts'

/** Receives the records of a comparison, in ascending order of id. */
export interface ComparisonObserver {
  /** Called with every record that was read, except removed ones. */
  seen(id: RecordId, line: string, sha256: string): void
  /** Called with a record that is new or differs from the previous snapshot. */
  changed(id: RecordId, line: string, sha256: string): void
  /** Called with a record of the previous snapshot that was removed. */
  removed(id: RecordId): Promise<void>
  /** Called after each record; returns a promise if writing must be awaited. */
  flush(): Promise<void> | undefined
}

/** The inputs and outputs of a comparison. */
export interface FeedComparison {
  /** Digests of the previous snapshot's result; undefined for a first snapshot. */
  readonly before: DigestReader | undefined
  /** Receives the digests of the new result. */
  readonly result: DigestWriter
  /** True if the lines contain only records that may have changed; other digests are copied. */
  readonly partial: boolean
  readonly observer: ComparisonObserver
}

/**
 * Compares lines with the digests of the previous snapshot, both in ascending order of id, and writes the digests of
 * the result.
 */
export async function compare(lines: AsyncIterable<readonly FeedLine[]>, comparison: FeedComparison): Promise<void> {
  const { before, result, observer } = comparison
  for await (const page of lines) {
    for (const line of page) {
      const id = toComparable(line.id)
      if (before && !(before.ready && before.id >= id)) await processUntil(id, before, comparison)
      if (result.needsDrain) await result.drain()
      // Awaited only if needed: most records complete without a promise.
      const removal = compareLine(line, id, comparison)
      if (removal) await removal
      const flushed = observer.flush()
      if (flushed) await flushed
    }
  }
  if (before) await processUntil(undefined, before, comparison)
}

/** Compares one line with the previous digest of its id. Returns a promise for a removed record. */
function compareLine(
  { id, line }: FeedLine,
  comparableId: RecordId | number,
  { before, result, observer }: FeedComparison,
): Promise<void> | undefined {
  const known = before?.ready && !(before.id > comparableId) ? before.hash : undefined
  if (known !== undefined) before!.advance()
  if (line === undefined) return known === undefined ? undefined : observer.removed(id)
  const sha256 = hash('sha256', line, 'hex')
  result.add(id, sha256)
  observer.seen(id, line, sha256)
  if (sha256 !== known) observer.changed(id, line, sha256)
  return undefined
}

/**
 * Processes the previous digests with ids below `bound`, or all if it is undefined. Their records are unchanged if the
 * comparison is partial, otherwise removed.
 */
async function processUntil(
  bound: RecordId | number | undefined,
  before: DigestReader,
  { result, partial, observer }: FeedComparison,
): Promise<void> {
  const copy = (buffer: Buffer, from: number, to: number) => result.copy(buffer, from, to)
  while (before.ready || (await before.more())) {
    if (bound !== undefined && !(before.id < bound)) return
    if (partial) {
      if (result.needsDrain) await result.drain()
      before.advance(copy)
    } else {
      const id = before.id
      before.advance()
      await observer.removed(typeof id === 'number' ? BigInt(id) : id)
      await observer.flush()
    }
  }
}

/** Converts an id to a number if a double represents it exactly, because numbers compare faster than bigints. */
const toComparable = (id: RecordId): RecordId | number =>
  typeof id === 'bigint' && id <= 9007199254740991n ? Number(id) : id
