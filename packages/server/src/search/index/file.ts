import { readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { readArrays } from '../../kit/stored-arrays.ts'
import { type IndexData, type IndexFacts, singlePart } from './index-data.ts'
import { type LexiconArrays, lexiconTypes } from './lexicon.ts'
import { arrayTypes, type SegmentArrays, type SegmentData, type SegmentFacts } from './segment.ts'
import { type FoundHeader, prepareFile, readHeader, type Unusable, withFile, writePrepared } from './stored-file.ts'

/** Result of loading an index. Every result except `loaded` requires a rebuild. */
export type LoadOutcome = { readonly outcome: 'loaded'; readonly index: IndexData } | Unusable

/** A file with one part of an index of several. */
export interface PartFile {
  /** Name of the file, which is next to that of the index. It contains a checksum, so that content never changes. */
  readonly name: string
  /** Identifies the content of the file. */
  readonly mark: string
}

/**
 * Facts in the file of an index. An index of one part is one file, with the facts of the segment; the file of any other
 * is its manifest, which has the lexicon and lists the files of the parts.
 */
type StoredFacts = SegmentFacts | (IndexFacts & { readonly parts: readonly PartFile[] })

const isManifest = (facts: StoredFacts): facts is Exclude<StoredFacts, SegmentFacts> => 'parts' in facts

/** Number of attempts to load an index whose parts another process replaces meanwhile. */
const maxAttempts = 3

/**
 * Saves an index and returns its size in bytes. The path always has a complete index, either the old or the new one.
 */
export function saveIndex(path: string, { facts, parts, lexicon }: IndexData): number {
  const [only] = parts
  if (lexicon === undefined || only === undefined) return saveSegment(path, only!)
  const files = parts.map((part, i) => savePart(path, i + 1, part))
  return saveManifest(path, facts, lexicon.arrays, files)
}

/** Saves an index of one part. */
function saveSegment(path: string, { facts, arrays }: SegmentData): number {
  const bytes = writePrepared(path, prepareFile(facts, inOrder(arrays)), facts.builtMs)
  removeParts(path, [])
  return bytes
}

/** Saves one part of several, numbered from 1. It belongs to the index when the manifest lists it. */
export function savePart(path: string, number: number, { facts, arrays }: SegmentData): PartFile {
  const prepared = prepareFile(facts, inOrder(arrays))
  const name = `${basename(path)}.part-${number}-${prepared.mark}`
  writePrepared(join(dirname(path), name), prepared, facts.builtMs)
  return { name, mark: prepared.mark }
}

/** Saves the manifest of saved parts, and deletes the parts of the index before. Returns the size in bytes. */
export function saveManifest(
  path: string,
  facts: IndexFacts,
  arrays: LexiconArrays,
  parts: readonly PartFile[],
): number {
  const bytes = writePrepared(path, prepareFile({ ...facts, parts }, { ...arrays }), facts.builtMs)
  removeParts(path, parts)
  return bytes
}

/** Returns the arrays in the order of their types, so that equal segments are equal files. */
const inOrder = (arrays: SegmentArrays): Readonly<Record<string, ArrayBufferView>> =>
  Object.fromEntries(Object.keys(arrayTypes).map(name => [name, arrays[name as keyof SegmentArrays]]))

function removeParts(path: string, kept: readonly PartFile[]): void {
  const prefix = `${basename(path)}.part-`
  const names = new Set(kept.map(({ name }) => name))
  for (const name of readdirSync(dirname(path))) {
    // Drafts are removed when they are stale: another process may be writing them.
    if (name.startsWith(prefix) && !names.has(name) && !name.endsWith('.new'))
      rmSync(join(dirname(path), name), { force: true })
  }
}

/** Loads an index into shared memory and verifies the checksum of every byte. Throws if a file cannot be read. */
export function loadIndex(path: string): LoadOutcome {
  for (let attempt = 1; ; attempt++) {
    const before = headerOf(path)
    if ('outcome' in before) return before
    const loaded = isManifest(before.header.facts) ? loadParts(path) : loadSingle(path)
    if (loaded.outcome === 'loaded' || attempt === maxAttempts) return loaded
    const after = headerOf(path)
    if ('outcome' in after || after.mark === before.mark) return loaded
  }
}

function loadSingle(path: string): LoadOutcome {
  const loaded = loadSegment(path)
  return loaded.outcome === 'loaded' ? { outcome: 'loaded', index: singlePart(loaded.segment) } : loaded
}

function loadParts(path: string): LoadOutcome {
  const found = withFile(path, readManifest)
  if ('outcome' in found) return found
  const { facts, arrays } = found
  const parts: SegmentData[] = []
  for (const { name, mark } of facts.parts) {
    const loaded = loadSegment(join(dirname(path), name), mark)
    if (loaded.outcome !== 'loaded') return { outcome: 'damaged', reason: describeMissing(name, loaded) }
    parts.push(loaded.segment)
  }
  const { count, revision, builtMs } = facts
  return { outcome: 'loaded', index: { facts: { count, revision, builtMs }, parts, lexicon: { count, arrays } } }
}

const describeMissing = (name: string, unusable: Unusable): string =>
  unusable.outcome === 'missing'
    ? `its part ${name} is missing`
    : `its part ${name} is damaged${unusable.outcome === 'damaged' ? `: ${unusable.reason}` : ''}`

function readManifest(file: number, size: number) {
  const found = readHeader<Exclude<StoredFacts, SegmentFacts>>(file, size)
  if ('outcome' in found) return found
  const { facts, arrays: stored } = found.header
  const read = readArrays(file, found.arraysAt, stored as never, lexiconTypes)
  if ('reason' in read) return { outcome: 'damaged', reason: read.reason } as const
  return { facts, arrays: read.arrays as LexiconArrays }
}

/** Loads one part; with `mark`, a file of other content is damaged. */
export function loadSegment(
  path: string,
  mark?: string,
): { readonly outcome: 'loaded'; readonly segment: SegmentData } | Unusable {
  return withFile(path, (file, size) => {
    const found = readHeader<SegmentFacts>(file, size)
    if ('outcome' in found) return found
    if (mark !== undefined && found.mark !== mark)
      return { outcome: 'damaged', reason: 'it has other content' } as const
    const { facts, arrays: stored } = found.header
    const read = readArrays(file, found.arraysAt, stored as never, arrayTypes)
    return 'reason' in read
      ? ({ outcome: 'damaged', reason: read.reason } as const)
      : ({ outcome: 'loaded', segment: { facts, arrays: read.arrays as SegmentArrays } } as const)
  })
}

const headerOf = (path: string): FoundHeader<StoredFacts> | Unusable => withFile(path, readHeader<StoredFacts>)

/** Returns the change-log sequence number that an index was built at; undefined if it is not usable. */
export function readIndexRevision(path: string): number | undefined {
  const found = headerOf(path)
  return 'header' in found ? found.header.facts.revision : undefined
}

/** Returns the paths of the files of an index, the one that completes it last; none if it is not usable. */
export function indexFiles(path: string): readonly string[] {
  const found = headerOf(path)
  if ('outcome' in found) return []
  const { facts } = found.header
  return [...(isManifest(facts) ? facts.parts.map(({ name }) => join(dirname(path), name)) : []), path]
}
