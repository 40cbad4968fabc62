import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { buildSegment } from '../index/build.ts'
import { buildLexicon } from '../index/build-lexicon.ts'
import { buildParts, collectStatistics, maxPartDocuments } from '../index/build-parts.ts'
import type { SearchDocument } from '../index/document.ts'
import { loadSegment, type PartFile, saveIndex, saveManifest, savePart } from '../index/file.ts'
import { singlePart } from '../index/index-data.ts'
import type { SegmentData } from '../index/segment.ts'
import { withBestLists } from './build-best-lists.ts'

/** Documents of an index. */
export interface DocumentSet {
  /** Number of documents. */
  readonly count: number
  /**
   * Returns all documents, ascending by id. An index of several parts reads them first for its statistics (`isFirst`),
   * and then again.
   */
  read(isFirst: boolean): AsyncIterable<SearchDocument>
}

export interface PrepareOptions {
  /** Change-log sequence number up to which the documents include changes. */
  readonly revision: number
  /** Milliseconds since 1970. */
  readonly nowMs: number
  /** Maximum number of documents of a part. */
  readonly partDocuments?: number | undefined
  /** Called after each step, for a log. */
  readonly onStep?: (step: string) => void
}

/** Builds an index of as many parts as its documents need; the returned function puts its file in place. */
export async function prepareIndex(path: string, documents: DocumentSet, options: PrepareOptions): Promise<() => void> {
  const { partDocuments = maxPartDocuments } = options
  if (documents.count > partDocuments) return prepareParts(path, documents, partDocuments, options)
  const built = withBestLists(singlePart(await buildSegment(documents.read(false), options)))
  return () => saveIndex(path, built)
}

/** Saves each part before it builds the next one, and the manifest at the end. */
async function prepareParts(
  path: string,
  { read }: DocumentSet,
  partDocuments: number,
  { revision, nowMs, onStep = () => {} }: PrepareOptions,
): Promise<() => void> {
  const statistics = await collectStatistics(read(true))
  onStep('statistics')
  const files: PartFile[] = []
  try {
    for await (const part of buildParts(read(false), partDocuments, { revision, nowMs, statistics })) {
      files.push(savePart(path, files.length + 1, part))
      onStep(`part ${files.length}`)
    }
    const parts = files.map(file => reload(path, file))
    const total = parts.reduce((sum, { facts }) => sum + facts.count, 0)
    const facts = { count: total, revision, builtMs: nowMs }
    const { lexicon } = withBestLists({ facts, parts, lexicon: buildLexicon(parts) })
    onStep('lexicon')
    return () => saveManifest(path, facts, lexicon!.arrays, files)
  } catch (error) {
    for (const { name } of files) rmSync(join(dirname(path), name), { force: true })
    throw error
  }
}

function reload(path: string, { name, mark }: PartFile): SegmentData {
  const loaded = loadSegment(join(dirname(path), name), mark)
  if (loaded.outcome !== 'loaded') throw new Error(`The part ${name} that was just saved cannot be loaded.`)
  return loaded.segment
}
