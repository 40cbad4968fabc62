import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type AreaNames, buildAreaNames } from '../index/area-names.ts'
import { AreaPlaces } from '../index/area-places.ts'
import { buildParts } from '../index/build-parts.ts'
import { readManifestFacts } from '../index/file.ts'
import { type HeldParts, loadPlaces, type PartFile, saveManifest, savePlaces, saveScores } from '../index/part-files.ts'
import { type PlannedRange, planParts } from '../index/part-plan.ts'
import { scoreParts } from '../index/score-parts.ts'
import type { SegmentPlaces } from '../index/segment.ts'
import { hasOnlyUsedTerms } from '../index/used-terms.ts'
import { withBestLists } from './build-best-lists.ts'
import type { DocumentSet, PrepareOptions } from './document-set.ts'

/** A range of ids, with the part that is used again if nothing in it has changed. */
interface Range extends PlannedRange {
  readonly part?: SegmentPlaces
}

/** A part whose documents are in a file. */
interface StoredPart {
  readonly file: PartFile
  readonly part?: SegmentPlaces
  readonly areaNames?: AreaNames
}

/**
 * Builds the parts whose documents have changed since the index in place was built, and scores the documents of all
 * . The returned function puts the manifest in place.
 */
export async function prepareParts(
  path: string,
  documents: DocumentSet,
  partDocuments: number,
  { revision, nowMs, held = new Map(), onStep = () => {} }: PrepareOptions,
): Promise<() => void> {
  const written: PartFile[] = []
  try {
    const ranges = await planRanges(path, documents, partDocuments, held)
    const places = await collectPlaces(documents, ranges)
    onStep('plan and places')
    const stored: StoredPart[] = []
    for (const range of ranges) {
      const known = unchangedPart(range, places)
      if (known) {
        stored.push(known)
        continue
      }
      for await (const part of buildParts(documents.read(range), range.size, places)) {
        const file = savePlaces(path, part, nowMs)
        written.push(file)
        stored.push({ file })
        onStep(`part ${stored.length}`)
      }
    }
    // Loaded after all are built, because a build needs memory of its own.
    const unscored = stored.map(({ file, part, areaNames }) => ({ part: part ?? reload(path, file), areaNames }))
    const { parts, lexicon } = scoreParts(unscored, places)
    onStep('scores')
    const files = parts.map(({ facts: { count }, arrays }, i) => {
      const scores = saveScores(path, arrays, nowMs)
      written.push(scores)
      return { places: stored[i]!.file, scores, count, lastId: String(arrays.id[arrays.byId[count - 1]!]) }
    })
    const facts = { count: lexicon.count, revision, builtMs: nowMs }
    const listed = withBestLists({ facts, parts, lexicon }).lexicon!
    onStep('best lists')
    return () => saveManifest(path, { ...facts, origin: documents.origin, parts: files }, listed.arrays)
  } catch (error) {
    discard(path, written)
    throw error
  }
}

/** Plans the ranges, and loads the parts in which nothing has changed. A damaged part is built again. */
async function planRanges(
  path: string,
  documents: DocumentSet,
  partDocuments: number,
  held: HeldParts,
): Promise<readonly Range[]> {
  const manifest = readManifestFacts(path)
  const changed = manifest?.origin && (await documents.findChanges?.(manifest.origin))
  const previous = changed && { parts: manifest.parts, changed }
  const planned = await planParts(previous, documents, partDocuments)
  return planned.map(range => {
    if (!range.unchanged) return range
    const { places } = range.unchanged
    // The file of a part in memory is checked, too, because other nodes and the next start read it.
    const loaded = loadPlaces(path, places)
    return loaded.outcome === 'loaded' ? { ...range, part: held.get(places.name) ?? loaded.part } : range
  })
}

/** Collects the places of all ranges that areas may be named after. */
async function collectPlaces(documents: DocumentSet, ranges: readonly Range[]): Promise<AreaPlaces> {
  const places = new AreaPlaces()
  for (const range of ranges) {
    if (range.part) places.addPart(range.part)
    else for await (const document of documents.readGeos(range)) places.addDocument(document)
  }
  return places
}

/** Returns the part of a range, if its terms are those that a build with these places has. */
function unchangedPart({ part, unchanged }: Range, places: AreaPlaces): StoredPart | undefined {
  const areaNames = part && buildAreaNames(part, places)
  if (areaNames === undefined || !hasOnlyUsedTerms(part!, areaNames)) return undefined
  return { file: unchanged!.places, part: part!, areaNames }
}

function reload(path: string, file: PartFile): SegmentPlaces {
  const loaded = loadPlaces(path, file)
  if (loaded.outcome !== 'loaded') throw new Error(`The part ${file.name} that was just saved cannot be loaded.`)
  return loaded.part
}

/** Deletes written files, except those that the index in place has, too: equal parts have one name. */
function discard(path: string, written: readonly PartFile[]): void {
  const kept = new Set(readManifestFacts(path)?.parts.flatMap(({ places, scores }) => [places.name, scores.name]))
  for (const { name } of written) if (!kept.has(name)) rmSync(join(dirname(path), name), { force: true })
}
