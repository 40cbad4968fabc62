import { buildSegment } from './build.ts'
import type { SearchDocument } from './document.ts'
import type { SegmentData } from './segment.ts'
import { CollectedStatistics, type Statistics } from './statistics.ts'

/** Maximum number of documents of a part. */
export const maxPartDocuments = 10_000_000

/** Collects the statistics of all documents of an index. */
export async function collectStatistics(documents: AsyncIterable<SearchDocument>): Promise<Statistics> {
  const statistics = new CollectedStatistics()
  for await (const document of documents) statistics.add(document)
  return statistics
}

/**
 * Builds the parts of an index sequentially, each from the next `size` documents, so that memory is needed for one at a
 * time. The documents are ascending by id.
 */
export async function* buildParts(
  documents: AsyncIterable<SearchDocument>,
  size: number,
  options: { readonly revision: number; readonly nowMs: number; readonly statistics: Statistics },
): AsyncGenerator<SegmentData> {
  const all = documents[Symbol.asyncIterator]()
  let next = await all.next()
  const run = async function* (): AsyncGenerator<SearchDocument> {
    for (let i = 0; i < size && !next.done; i++) {
      yield next.value
      next = await all.next()
    }
  }
  while (!next.done) yield await buildSegment(run(), options)
}
