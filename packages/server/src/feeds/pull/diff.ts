import type { FeedName } from '../../domain/feed.ts'
import { ChangedResult } from './outcome.ts'
import { getKeyKind, type RecordKey } from './record-key.ts'
import { Records } from './records.ts'
import { readSection } from './sections.ts'

/** A line that an earlier result lacks or has otherwise, or the key of a record that only the earlier one has. */
export type ResultChange =
  | { readonly op: 'put'; readonly line: string }
  | { readonly op: 'delete'; readonly key: RecordKey }

/**
 * Compares a result with an earlier one; both have their records in ascending order of id. Without an earlier one, each
 * line is a change.
 */
export async function* compareResults(
  feed: FeedName,
  earlier: string | undefined,
  result: string,
): AsyncGenerator<ResultChange> {
  const open = (path: string) =>
    new Records(
      readSection(path, path, () => {}),
      getKeyKind(feed),
      message => new ChangedResult(message),
    )
  const after = open(result)
  const before = earlier === undefined ? undefined : open(earlier)
  try {
    let hasAfter = await after.more()
    let hasBefore = (await before?.more()) ?? false
    while (hasAfter || hasBefore) {
      const order = orderOf(hasBefore ? before : undefined, hasAfter ? after : undefined)
      if (order < 0) yield { op: 'delete', key: before!.key }
      else if (order > 0 || !isSame(before!, after))
        yield { op: 'put', line: after.bytes.toString('utf8', after.start, after.end) }
      if (order <= 0) hasBefore = await next(before!)
      if (order >= 0) hasAfter = await next(after)
    }
  } finally {
    await Promise.all([after.close(), before?.close()])
  }
}

/** Returns which record comes first: -1 the earlier one, 1 the other, 0 both. A stream that has ended is undefined. */
function orderOf(before: Records | undefined, after: Records | undefined): number {
  if (!before || !after) return before ? -1 : 1
  return before.key < after.key ? -1 : before.key === after.key ? 0 : 1
}

const next = async (records: Records): Promise<boolean> => records.tryNext() || records.more()

const isSame = (a: Records, b: Records): boolean => a.bytes.compare(b.bytes, b.start, b.end, a.start, a.end) === 0
