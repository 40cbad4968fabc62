import { enumValueId, listEnumValues } from '../domain/enum-value.ts'
import type { FeedName, RecordEnding, RecordId } from '../domain/feed.ts'
import type { FeedReader, FeedSource } from '../domain/feed-stores.ts'
import type { Id } from '../domain/id.ts'
import type { LocationEntry } from '../domain/location.ts'
import type { PlacedReview } from '../domain/review-query.ts'
import { type RawJson, toLongJson } from '../kit/long-json.ts'
import { formatTimestamp } from '../versions/primitives/format.ts'
import type { Version } from '../versions/version.ts'

/** A line of a feed. */
export interface FeedLine {
  readonly id: RecordId
  /** The record as JSON without a line end; undefined if it was removed. */
  readonly line: string | undefined
}

/** The line of a record that is gone. */
export interface Tombstone {
  readonly line: string
  readonly reason: RecordEnding['reason']
}

/** The records of one edition as pages of lines, in ascending order of id. */
export interface FeedRecords {
  count(): Promise<number>
  all(): AsyncIterable<readonly FeedLine[]>
  /** Reads the records changed after a change number; undefined for feeds that are small enough to read completely. */
  changedAfter?(seq: number): AsyncIterable<readonly FeedLine[]>
  /**
   * Returns the tombstone of a removed record; `atMs` is used if the store does not know the time of removal.
   */
  tombstone(id: RecordId, atMs: number): Promise<Tombstone>
}

/** Creates the records of a feed in the form of one API version. `publicUrl` has no trailing slash. */
export function createFeedRecords(
  source: FeedSource,
  feed: FeedName,
  version: Version,
  publicUrl: string,
): FeedRecords {
  const context = { publicUrl, locales: [] }
  const { present } = version
  const location = (entry: LocationEntry) => ({ id: entry.id, line: JSON.stringify(present.location(entry, context)) })
  const review = ({ review: r, of }: PlacedReview) => ({
    id: r.id,
    line: JSON.stringify(present.review(r, of, { originalsOnly: false }, context)),
  })
  const tombstone = (id: RecordId, ending: RecordEnding) =>
    formatTombstone(typeof id === 'bigint' ? present.tombstoneId(feed, id) : id, ending)
  switch (feed) {
    case 'locations':
      return createStoreRecords(source.locations, location, tombstone)
    case 'geos':
      return createStoreRecords(source.geos, location, tombstone)
    case 'reviews':
      return createStoreRecords(source.reviews, review, tombstone)
    case 'enums':
      return createEnumRecords(source, version)
  }
}

function createStoreRecords<T>(
  reader: FeedReader<T>,
  line: (record: T) => FeedLine,
  tombstone: (id: RecordId, ending: RecordEnding) => Tombstone,
): FeedRecords {
  return {
    count: () => reader.count(),
    all: async function* () {
      for await (const page of reader.all()) yield page.map(line)
    },
    changedAfter: async function* (seq) {
      for await (const ids of reader.changedAfter(seq)) {
        const found = await reader.getMany(ids)
        yield found.map((record, i) => (record === undefined ? { id: ids[i]!, line: undefined } : line(record)))
      }
    },
    tombstone: async (id, atMs) => tombstone(id, (await reader.ending(id as Id)) ?? { reason: 'removed', atMs }),
  }
}

/** Creates the records of `enums`: a few hundred values, which are always read completely. */
function createEnumRecords(source: FeedSource, { present }: Version): FeedRecords {
  const lines = async (): Promise<FeedLine[]> =>
    listEnumValues(await source.enumValuesInUse()).map(word => ({
      id: enumValueId(word),
      line: JSON.stringify(present.enumValue(word)),
    }))
  const loaded = lines()
  return {
    count: async () => (await loaded).length,
    all: async function* () {
      yield await loaded
    },
    tombstone: async (id, atMs) => formatTombstone(id, { reason: 'removed', atMs }),
  }
}

function formatTombstone(id: number | RecordId | RawJson, { reason, mergedInto, atMs }: RecordEnding): Tombstone {
  const merged_into = mergedInto === undefined ? undefined : toLongJson(mergedInto)
  return { line: JSON.stringify({ op: 'delete', id, reason, merged_into, at: formatTimestamp(atMs) }), reason }
}
