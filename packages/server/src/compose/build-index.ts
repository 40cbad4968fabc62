import type { FeedSource } from '../domain/feed-stores.ts'
import type { LocationEntry } from '../domain/location.ts'
import type { Engine } from '../domain/stores.ts'
import { buildSegment } from '../search/index/build.ts'
import { documentOf, type SearchDocument } from '../search/index/document.ts'
import { saveSegment } from '../search/index/file.ts'
import { withFeedSource } from './feed-folder.ts'

/** Called periodically with the number of places read so far. */
export type BuildProgress = (done: number, total: number) => void

/** Files that are written in the same pass over all places, ascending by id. */
export interface PassWriter {
  add(entry: LocationEntry): void
  /** Puts the files in place. Throws if an `add` failed. */
  commit(): void
  /** Deletes what has been written. */
  discard(): void
}

/**
 * Builds the search index from the current data and replaces its file. The same pass fills the writer that
 * `createWriter` returns; its failures are thrown when the index has been saved.
 */
export const buildIndex = (
  engine: Engine,
  index: string,
  nowMs: number,
  progress: BuildProgress = () => {},
  createWriter: (source: FeedSource, places: number) => PassWriter | undefined = () => undefined,
): Promise<void> =>
  withFeedSource(engine, async source => {
    const total = await source.locations.count()
    const writer = createWriter(source, total)
    const documents = async function* (): AsyncGenerator<SearchDocument> {
      let done = 0
      for await (const entries of source.locations.all()) {
        for (const entry of entries) {
          const parsed = parseOnce(entry)
          writer?.add(parsed)
          yield documentOf(parsed)
        }
        done += entries.length
        progress(done, total)
      }
    }
    try {
      saveSegment(index, await buildSegment(documents(), { revision: source.position.seq, nowMs }))
      writer?.commit()
    } catch (error) {
      writer?.discard()
      throw error
    }
  })

/** Returns an entry that parses its record once. */
function parseOnce(entry: LocationEntry): LocationEntry {
  const record = entry.location()
  const ratings = entry.ratings(record)
  const { id, source, country, category, updatedMs } = entry
  return {
    ...{ id, source, category, updatedMs },
    ...(country !== undefined && { country }),
    location: () => record,
    ratings: () => ratings,
    derive: (_variant, make) => make(),
  }
}
