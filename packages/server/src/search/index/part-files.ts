import { readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { ArrayTypes } from '../../kit/stored-arrays.ts'
import type { IndexData, IndexFacts } from './index-data.ts'
import { type LexiconArrays, lexiconTypes } from './lexicon.ts'
import {
  type PlaceArrays,
  placeTypes,
  type ScoreArrays,
  type SegmentData,
  type SegmentFacts,
  type SegmentPlaces,
  scoreTypes,
} from './segment.ts'
import { loadFile, prepareFile, type Unusable, writePrepared } from './stored-file.ts'

/** A file of a part. */
export interface PartFile {
  /** Name of the file, which is next to that of the index. It contains the mark, so that content never changes. */
  readonly name: string
  /** Identifies the content of the file. */
  readonly mark: string
}

/** The files of one part of an index of several: its documents, and their scores with those of all parts (R-141). */
export interface PartFiles {
  readonly places: PartFile
  readonly scores: PartFile
  /** Number of documents. */
  readonly count: number
  /** The last id of the part, as decimal int64. The range of the part begins after that of the part before. */
  readonly lastId: string
}

/** State of the store that an index was built from. */
export interface IndexOrigin {
  readonly storeId: string
  /** Position in the history of the store. */
  readonly seq: number
  readonly mark: string
}

/** Facts in the file of an index of several parts, its manifest, which also has the lexicon. */
export interface ManifestFacts extends IndexFacts {
  readonly origin?: IndexOrigin | undefined
  readonly parts: readonly PartFiles[]
}

/** Documents of parts that are in memory, by the name of their file. */
export type HeldParts = ReadonlyMap<string, SegmentPlaces>

/** Returns the documents of the parts of an index that was loaded from several files. */
export const partsByName = ({ parts, partNames = [] }: IndexData): HeldParts =>
  new Map(partNames.map((name, i) => [name, parts[i]!]))

type Loaded<T> = ({ readonly outcome: 'loaded' } & T) | Unusable

/** Saves the documents of a part. They belong to the index when the manifest lists them. */
export const savePlaces = (path: string, { facts, arrays }: SegmentPlaces, nowMs: number): PartFile =>
  savePartFile(path, 'part', facts, ordered(arrays, placeTypes), nowMs)

/** Saves the scores of a part. They belong to the index when the manifest lists them. */
export const saveScores = (path: string, arrays: ScoreArrays, nowMs: number): PartFile =>
  savePartFile(path, 'part-scores', {}, ordered(arrays, scoreTypes), nowMs)

/** Returns arrays in the order of their types, so that equal segments are equal files. */
export const ordered = <Name extends string>(
  arrays: Readonly<Record<Name, ArrayBufferView>>,
  types: Readonly<Record<Name, unknown>>,
): Readonly<Record<string, ArrayBufferView>> =>
  Object.fromEntries(Object.keys(types).map(name => [name, arrays[name as Name]]))

function savePartFile(
  path: string,
  kind: string,
  facts: object,
  arrays: Readonly<Record<string, ArrayBufferView>>,
  nowMs: number,
): PartFile {
  const prepared = prepareFile(facts, arrays)
  const name = `${basename(path)}.${kind}-${prepared.mark}`
  writePrepared(join(dirname(path), name), prepared, nowMs)
  return { name, mark: prepared.mark }
}

/** Saves the manifest of saved parts, and deletes the files of the index before. Returns the size in bytes. */
export function saveManifest(path: string, facts: ManifestFacts, arrays: LexiconArrays): number {
  const bytes = writePrepared(path, prepareFile(facts, { ...arrays }), facts.builtMs)
  removeParts(path, facts.parts)
  return bytes
}

/** Deletes the files of parts that are not listed. */
export function removeParts(path: string, kept: readonly PartFiles[]): void {
  const prefix = `${basename(path)}.part-`
  const names = new Set(kept.flatMap(({ places, scores }) => [places.name, scores.name]))
  for (const name of readdirSync(dirname(path))) {
    // Drafts are removed when they are stale: another process may be writing them.
    if (name.startsWith(prefix) && !names.has(name) && !name.endsWith('.new'))
      rmSync(join(dirname(path), name), { force: true })
  }
}

/** Loads an index of several parts, without the documents that are in memory. */
export function loadParts(path: string, held: HeldParts): Loaded<{ readonly index: IndexData }> {
  const found = loadFile<ManifestFacts, LexiconArrays>(path, lexiconTypes)
  if (found.outcome !== 'loaded') return found
  const { facts, arrays } = found
  const parts: SegmentData[] = []
  for (const { places, scores } of facts.parts) {
    const inMemory = held.get(places.name)
    const documents = inMemory ? { outcome: 'loaded' as const, part: inMemory } : loadPlaces(path, places)
    if (documents.outcome !== 'loaded') return describeUnusable(places, documents)
    const scored = loadArrays<object, ScoreArrays>(path, scores, scoreTypes)
    if (scored.outcome !== 'loaded') return describeUnusable(scores, scored)
    const { part } = documents
    parts.push({ facts: part.facts, arrays: { ...part.arrays, ...scored.arrays } })
  }
  const { count, revision, builtMs } = facts
  const partNames = facts.parts.map(({ places }) => places.name)
  const lexicon = { count, arrays }
  return { outcome: 'loaded', index: { facts: { count, revision, builtMs }, parts, lexicon, partNames } }
}

const describeUnusable = ({ name }: PartFile, unusable: Unusable): Unusable => ({
  outcome: 'damaged',
  reason:
    unusable.outcome === 'missing'
      ? `its part ${name} is missing`
      : `its part ${name} is damaged${unusable.outcome === 'damaged' ? `: ${unusable.reason}` : ''}`,
})

/** Loads the documents of a part; a file of other content is damaged. */
export function loadPlaces(path: string, file: PartFile): Loaded<{ readonly part: SegmentPlaces }> {
  const loaded = loadArrays<SegmentFacts, PlaceArrays>(path, file, placeTypes)
  return loaded.outcome === 'loaded' ? { outcome: 'loaded', part: loaded } : loaded
}

const loadArrays = <Facts, Arrays>(path: string, { name, mark }: PartFile, types: ArrayTypes) =>
  loadFile<Facts, Arrays>(join(dirname(path), name), types, mark)
