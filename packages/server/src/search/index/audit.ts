import type { Id } from '../../domain/id.ts'
import { buildSegment, eachList } from './build.ts'
import { type DocumentSource, documentOf } from './document.ts'
import type { LoadOutcome } from './file.ts'
import { Segment, type SegmentData } from './segment.ts'

/** The store as it is now, which an index is compared with. */
export interface AuditedStore {
  readonly lastSeq: number
  /** Pages of all locations. */
  readonly entries: AsyncIterable<readonly DocumentSource[]>
  /** Ids of the locations that changed after a sequence number, in pages: a running service has them in its overlay. */
  changedAfter(seq: number): AsyncIterable<readonly Id[]>
}

/** Documents that are looked at together. */
const chunk = 2000

/** Where an index file disagrees with the store, a sentence each. A missing file is none: the next start makes it. */
export async function auditIndex(loaded: LoadOutcome, store: AuditedStore, most = 20): Promise<string[]> {
  if (loaded.outcome === 'missing') return []
  if (loaded.outcome === 'foreign') return ['search.index is not an index of Periplus; the next start builds it anew.']
  if (loaded.outcome === 'torn') return [`search.index is torn: ${loaded.reason}; the next start builds it anew.`]
  if (loaded.outcome === 'other_version')
    return [`search.index has the format ${loaded.version} of another release; the next start builds it anew.`]
  const { revision } = loaded.segment.facts
  if (revision > store.lastSeq)
    return [
      `search.index is of revision ${revision}, but the store's last change is ${store.lastSeq}: it is not of this store.`,
    ]
  const problems: string[] = []
  const changed = new Set<Id>()
  for await (const ids of store.changedAfter(revision)) for (const id of ids) changed.add(id)
  for await (const problem of wrongDocuments(loaded.segment, store.entries, changed)) {
    problems.push(problem)
    if (problems.length === most) break
  }
  return problems
}

async function* wrongDocuments(
  data: SegmentData,
  entries: AsyncIterable<readonly DocumentSource[]>,
  changed: ReadonlySet<Id>,
): AsyncGenerator<string> {
  const index = new Segment(data)
  const described = describer(index)
  const seen = new Uint8Array(index.count)
  for await (const some of chunks(entries)) {
    const now = new Segment(await buildSegment(some.map(documentOf), { revision: 0, nowMs: 0 }))
    const describedNow = describer(now)
    for (const { id } of some) {
      const doc = index.find(id)
      if (doc >= 0) seen[doc] = 1
      if (changed.has(id)) continue
      if (doc < 0) yield `Location ${id} is not in the search index.`
      else if (described(doc) !== describedNow(now.find(id)))
        yield `Location ${id} is not in the search index as it is in the store.`
    }
  }
  for (let doc = 0; doc < index.count; doc++) {
    const id = index.arrays.id[doc]!
    if (seen[doc] === 0 && !changed.has(id)) yield `Location ${id} is in the search index, but not in the store.`
  }
}

async function* chunks<T>(pages: AsyncIterable<readonly T[]>): AsyncGenerator<T[]> {
  let some: T[] = []
  for await (const page of pages) {
    some.push(...page)
    if (some.length < chunk) continue
    yield some
    some = []
  }
  yield some
}

/** Gives all that a segment knows of a document, independent of how the segment numbers terms and groups. */
function describer({ arrays, facts, terms }: Segment): (doc: number) => string {
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
      const end = at + 1 + (arrays.texts[at]! & 0xff)
      texts.push(arrays.texts[at], words(arrays.texts, at + 1, end))
      at = end
    }
    return texts
  }
  const areaTexts = new Map<number, unknown[]>()
  eachList(arrays.areaTextStart.subarray(0, -1), arrays.areaTexts, (area, from, to) => {
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
      ...[arrays.latitude, arrays.longitude, arrays.category, arrays.status, arrays.price, arrays.rating].map(
        column => column[doc],
      ),
      arrays.weightedRating[doc],
      arrays.popularity[doc],
      arrays.country[doc] === 0 ? '' : facts.countries[arrays.country[doc]! - 1],
      facts.sources[arrays.source[doc]!],
      arrays.postal[doc] === 0 ? '' : terms.text(arrays.postal[doc]! - 1),
      hoursOf(arrays.hours[doc]!),
      labelTerms[arrays.labels[doc]!],
      areaTexts.get(arrays.area[doc]!),
      textsOf(doc),
    ])
}
