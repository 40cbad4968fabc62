import type { Id } from '../../domain/id.ts'
import { buildSegment } from './build.ts'
import { type DocumentSource, documentOf } from './document.ts'
import type { LoadOutcome } from './file.ts'
import type { IndexData } from './index-data.ts'
import { findNameText } from './name-texts.ts'
import { Segment } from './segment.ts'
import { eachRun, kindOfText, lengthOfText, nameOfText, textKind } from './texts.ts'

/** Current state of the store, to compare an index with. */
export interface CheckedStore {
  /** Sequence number of the last change. */
  readonly lastSeq: number
  /** All locations, in pages. */
  readonly entries: AsyncIterable<readonly DocumentSource[]>
  /** Returns true if the change log reaches back to a sequence number. */
  hasChangesSince(seq: number): Promise<boolean>
  /** Ids of locations that changed after a sequence number, in pages. A running service keeps them in its overlay. */
  changedAfter(seq: number): AsyncIterable<readonly Id[]>
}

/** Number of documents that are compared at a time. */
const chunkSize = 2000

/**
 * Compares an index file with the store and returns up to `limit` differences as messages. A missing file is not a
 * difference: the next start rebuilds it.
 */
export async function checkIndex(loaded: LoadOutcome, store: CheckedStore, limit = 20): Promise<string[]> {
  if (loaded.outcome === 'missing') return []
  if (loaded.outcome === 'unrecognized')
    return ['search.index is not an index of Periplus. The next start rebuilds it.']
  if (loaded.outcome === 'damaged') return [`search.index is damaged: ${loaded.reason}. The next start rebuilds it.`]
  if (loaded.outcome === 'other_version')
    return [`search.index has format ${loaded.version}, which another release uses. The next start rebuilds it.`]
  const { revision } = loaded.index.facts
  if (revision > store.lastSeq)
    return [
      `search.index has revision ${revision}, but the last change of the store is ${store.lastSeq}: it belongs to another store.`,
    ]
  if (!(await store.hasChangesSince(revision)))
    return [`search.index has revision ${revision}, but the change log starts later. The next start rebuilds it.`]
  const problems: string[] = []
  const changed = new Set<Id>()
  for await (const ids of store.changedAfter(revision)) for (const id of ids) changed.add(id)
  for await (const problem of wrongDocuments(loaded.index, store.entries, changed)) {
    problems.push(problem)
    if (problems.length === limit) break
  }
  return problems
}

/** Yields a message for each document that differs from the store; ids in `changed` are not compared. */
async function* wrongDocuments(
  index: IndexData,
  entries: AsyncIterable<readonly DocumentSource[]>,
  changed: ReadonlySet<Id>,
): AsyncGenerator<string> {
  const parts = index.parts.map(data => {
    const segment = new Segment(data)
    return { segment, serialize: serializer(segment), seen: new Uint8Array(segment.count) }
  })
  for await (const some of chunks(entries)) {
    const now = new Segment(await buildSegment(some.map(documentOf), { revision: 0, nowMs: 0 }))
    const serializeNow = serializer(now)
    for (const { id } of some) {
      const part = parts.find(({ segment }) => segment.find(id) >= 0)
      const doc = part?.segment.find(id) ?? -1
      if (part) part.seen[doc] = 1
      if (changed.has(id)) continue
      if (!part) yield `Location ${id} is not in the search index.`
      else if (part.serialize(doc) !== serializeNow(now.find(id)))
        yield `Location ${id} differs between the search index and the store.`
    }
  }
  for (const { segment, seen } of parts) {
    for (let doc = 0; doc < segment.count; doc++) {
      const id = segment.arrays.id[doc]!
      if (seen[doc] === 0 && !changed.has(id)) yield `Location ${id} is in the search index, but not in the store.`
    }
  }
}

async function* chunks<T>(pages: AsyncIterable<readonly T[]>): AsyncGenerator<T[]> {
  let some: T[] = []
  for await (const page of pages) {
    some.push(...page)
    if (some.length < chunkSize) continue
    yield some
    some = []
  }
  yield some
}

/** Returns a function that serializes a document of a segment independently of the numbers of terms and groups. */
function serializer({ arrays, facts, terms }: Segment): (doc: number) => string {
  const labelTerms: string[][] = arrays.labelDocStart.length > 0 ? Array.from(arrays.labelDocStart, () => []) : []
  for (let term = 0; term < arrays.labelTermStart.length - 1; term++) {
    for (let at = arrays.labelTermStart[term]!; at < arrays.labelTermStart[term + 1]!; at++)
      labelTerms[arrays.labelTermSets[at]!]!.push(terms.text(term))
  }
  const words = (list: Uint32Array, from: number, to: number) =>
    Array.from(list.subarray(from, to), term => terms.text(term))
  const textsOf = (doc: number) => {
    const texts: unknown[] = []
    for (let at = arrays.textStart[doc]!; at < arrays.textStart[doc + 1]!; ) {
      const header = arrays.texts[at]!
      const end = at + 1 + lengthOfText(header)
      texts.push(header, words(arrays.texts, at + 1, end))
      if (kindOfText(header) === textKind.name)
        texts.push(findNameText(arrays, facts.languages, doc, nameOfText(header)))
      at = end
    }
    return texts
  }
  const areaTexts = new Map<number, unknown[]>()
  eachRun(arrays.areaTextStart.subarray(0, -1), arrays.areaTexts, (area, from, to) => {
    const texts = areaTexts.get(area) ?? []
    texts.push(words(arrays.areaTexts, from, to))
    areaTexts.set(area, texts)
  })
  const hoursOf = (at: number) => {
    if (at === 0) return 'unknown'
    const [zone, count] = arrays.hoursData.subarray(at, at + 2)
    return [facts.zones[zone!], ...arrays.hoursData.subarray(at + 2, at + 2 + count!)]
  }
  return doc =>
    JSON.stringify([
      ...[arrays.latitude, arrays.longitude, arrays.category, arrays.status].map(column => column[doc]),
      ...[arrays.price, arrays.stars, arrays.rating].map(column => column[doc]),
      arrays.weightedRating[doc],
      arrays.prominence[doc],
      arrays.country[doc] === 0 ? '' : facts.countries[arrays.country[doc]! - 1],
      arrays.region[doc] === 0 ? '' : facts.regions[arrays.region[doc]! - 1],
      facts.sources[arrays.source[doc]!],
      arrays.postal[doc] === 0 ? '' : terms.text(arrays.postal[doc]! - 1),
      hoursOf(arrays.hours[doc]!),
      labelTerms[arrays.labels[doc]!],
      areaTexts.get(arrays.area[doc]!),
      textsOf(doc),
    ])
}
