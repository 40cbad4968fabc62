import type { AreaPlaces } from './area-places.ts'
import { buildPart } from './build.ts'
import type { SearchDocument } from './document.ts'
import type { SegmentPlaces } from './segment.ts'

/** Default of the maximum number of documents of a part. */
export const maxPartDocuments = 10_000_000

/**
 * Builds the documents of parts sequentially, each of the next `size` ones, so that memory is needed for one at a time.
 * The documents are ascending by id.
 */
export async function* buildParts(
  documents: AsyncIterable<SearchDocument>,
  size: number,
  places: AreaPlaces,
): AsyncGenerator<SegmentPlaces> {
  const all = documents[Symbol.asyncIterator]()
  let next = await all.next()
  const run = async function* (): AsyncGenerator<SearchDocument> {
    for (let i = 0; i < size && !next.done; i++) {
      yield next.value
      next = await all.next()
    }
  }
  while (!next.done) yield await buildPart(run(), places)
}
