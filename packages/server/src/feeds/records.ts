import { enumValueId, enumValues } from '../domain/enum-value.ts'
import type { FeedName, RecordEnding, RecordId } from '../domain/feed.ts'
import type { LocationEntry } from '../domain/location.ts'
import type { FeedReader, FeedSource, PlacedReview } from '../domain/stores.ts'
import type { Version } from '../versions/version.ts'

/** A record of a feed as it is sent, without its line end; undefined where there is none any longer. */
export interface Line {
  readonly id: RecordId
  readonly line: string | undefined
}

/** The records of one edition: pages of lines, ascending by id. */
export interface FeedRecords {
  count(): Promise<number>
  all(): AsyncIterable<readonly Line[]>
  /** Left out where looking at all of them is no more work. */
  changedAfter?(seq: number): AsyncIterable<readonly Line[]>
  ending(id: RecordId): Promise<RecordEnding | undefined>
}

/** What the API sends for each record of a feed, in one version. `publicUrl` has no slash at its end. */
export function recordsOf(source: FeedSource, feed: FeedName, version: Version, publicUrl: string): FeedRecords {
  const context = { publicUrl, locales: [] }
  const { present } = version
  const location = (entry: LocationEntry) => ({ id: entry.id, line: JSON.stringify(present.location(entry, context)) })
  const review = ({ review: r, of }: PlacedReview) => ({
    id: r.id,
    line: JSON.stringify(present.review(r, of, { originalsOnly: false }, context)),
  })
  switch (feed) {
    case 'locations':
      return rendered(source.locations, location)
    case 'geos':
      return rendered(source.geos, location)
    case 'reviews':
      return rendered(source.reviews, review)
    case 'enums':
      return words(source, version)
  }
}

function rendered<T>(reader: FeedReader<T>, line: (record: T) => Line): FeedRecords {
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
    ending: async id => (typeof id === 'bigint' ? reader.ending(id) : undefined),
  }
}

/** A few hundred words: looked at as a whole, always. */
function words(source: FeedSource, { present }: Version): FeedRecords {
  const lines = async (): Promise<Line[]> =>
    enumValues(await source.words()).map(word => ({
      id: enumValueId(word),
      line: JSON.stringify(present.enumValue(word)),
    }))
  const known = lines()
  return {
    count: async () => (await known).length,
    all: async function* () {
      yield await known
    },
    ending: async () => undefined,
  }
}
