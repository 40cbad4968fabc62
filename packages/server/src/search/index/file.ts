import { dirname, join } from 'node:path'
import { type IndexData, singlePart } from './index-data.ts'
import { type HeldParts, loadParts, type ManifestFacts, ordered, removeParts } from './part-files.ts'
import { arrayTypes, type SegmentArrays, type SegmentFacts } from './segment.ts'
import {
  type FoundHeader,
  loadFile,
  prepareFile,
  readHeader,
  type Unusable,
  withFile,
  writePrepared,
} from './stored-file.ts'

/** Result of loading an index. Every result except `loaded` requires a rebuild. */
export type LoadOutcome = { readonly outcome: 'loaded'; readonly index: IndexData } | Unusable

/**
 * Facts in the file of an index. An index of one part is one file, with the facts of the segment; the file of any other
 * is its manifest.
 */
type StoredFacts = SegmentFacts | ManifestFacts

const isManifest = (facts: StoredFacts): facts is ManifestFacts => 'parts' in facts

/** Number of attempts to load an index whose parts another process replaces meanwhile. */
const maxAttempts = 3

/**
 * Saves an index of one part and returns its size in bytes. The path always has a complete index, either the old or the
 * new one.
 */
export function saveIndex(path: string, { parts }: IndexData): number {
  const { facts, arrays } = parts[0]!
  const bytes = writePrepared(path, prepareFile(facts, ordered(arrays, arrayTypes)), facts.builtMs)
  removeParts(path, [])
  return bytes
}

/**
 * Loads an index into shared memory and verifies the checksum of every byte; `held` has the documents of parts that are
 * in memory already. Throws if a file cannot be read.
 */
export function loadIndex(path: string, held: HeldParts = new Map()): LoadOutcome {
  for (let attempt = 1; ; attempt++) {
    const before = headerOf(path)
    if ('outcome' in before) return before
    const loaded = isManifest(before.header.facts) ? loadParts(path, held) : loadSingle(path)
    if (loaded.outcome === 'loaded' || attempt === maxAttempts) return loaded
    const after = headerOf(path)
    if ('outcome' in after || after.mark === before.mark) return loaded
  }
}

function loadSingle(path: string): LoadOutcome {
  const loaded = loadFile<SegmentFacts, SegmentArrays>(path, arrayTypes)
  if (loaded.outcome !== 'loaded') return loaded
  const { facts, arrays } = loaded
  return { outcome: 'loaded', index: singlePart({ facts, arrays }) }
}

const headerOf = (path: string): FoundHeader<StoredFacts> | Unusable => withFile(path, readHeader<StoredFacts>)

/** Returns the change-log sequence number that an index was built at; undefined if it is not usable. */
export function readIndexRevision(path: string): number | undefined {
  const found = headerOf(path)
  return 'header' in found ? found.header.facts.revision : undefined
}

/** Returns the facts of an index of several parts; undefined if it has one part, or is not usable. */
export function readManifestFacts(path: string): ManifestFacts | undefined {
  const found = headerOf(path)
  return 'header' in found && isManifest(found.header.facts) ? found.header.facts : undefined
}

/** Returns the paths of the files of an index, the one that completes it last; none if it is not usable. */
export function indexFiles(path: string): readonly string[] {
  const found = headerOf(path)
  if ('outcome' in found) return []
  const { facts } = found.header
  const names = isManifest(facts) ? facts.parts.flatMap(({ places, scores }) => [places.name, scores.name]) : []
  return [...names.map(name => join(dirname(path), name)), path]
}
