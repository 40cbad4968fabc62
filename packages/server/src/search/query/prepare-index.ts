import { buildSegment } from '../index/build.ts'
import { maxPartDocuments } from '../index/build-parts.ts'
import { saveIndex } from '../index/file.ts'
import { singlePart } from '../index/index-data.ts'
import { allIds } from '../index/part-plan.ts'
import { withBestLists } from './build-best-lists.ts'
import type { DocumentSet, PrepareOptions } from './document-set.ts'
import { prepareParts } from './prepare-parts.ts'

/** Builds an index of as many parts as its documents need; the returned function puts its file in place. */
export async function prepareIndex(path: string, documents: DocumentSet, options: PrepareOptions): Promise<() => void> {
  const { partDocuments = maxPartDocuments } = options
  if (documents.count > partDocuments) return prepareParts(path, documents, partDocuments, options)
  const built = withBestLists(singlePart(await buildSegment(documents.read(allIds), options)))
  return () => saveIndex(path, built)
}
