import { buildTerms } from '../text/terms.ts'
import { buildAreas } from './areas.ts'
import { Collector } from './collector.ts'
import type { SearchDocument } from './document.ts'
import { termDocs } from './groups.ts'
import { shared } from './growable.ts'
import { buildPoints } from './points.ts'
import { buildPostings } from './postings.ts'
import { arrayTypes, type SegmentArrays, type SegmentData, statusCode, textKind } from './segment.ts'
import { buildSpelling } from './spelling.ts'

/** A term in more names than this is common: a name of common terms only is found by its hash. */
const commonTerm = 5000

export interface BuildOptions {
  /** The change-log sequence number that the documents were read at. */
  readonly revision: number
  /** Milliseconds since 1970. */
  readonly nowMs: number
  /** How telling a term is (0 to 255) where that is known from elsewhere: an overlay weighs as its main segment does. */
  readonly weightOf?: (term: string) => number
}

/** Builds a segment from documents, each id once. Holds about 400 bytes a document while it runs. */
export async function buildSegment(
  documents: Iterable<SearchDocument> | AsyncIterable<SearchDocument>,
  options: BuildOptions,
): Promise<SegmentData> {
  const collected = new Collector()
  for await (const document of documents) collected.add(document)
  return finish(collected, options)
}

function finish(collected: Collector, { revision, nowMs, weightOf }: BuildOptions): SegmentData {
  const { count } = collected
  const { order, sorted, rankOfTerm } = ranks(collected)
  const columns = permuted(collected, order)
  const { textStart, texts } = orderedTexts(collected, order, rankOfTerm)
  for (let doc = 0; doc < count; doc++)
    if (columns.postal[doc] !== 0) columns.postal[doc] = rankOfTerm[columns.postal[doc]! - 1]! + 1

  const postingsOf = (wanted: (kind: number) => boolean) =>
    buildPostings(sorted.length, visit => {
      for (let doc = 0; doc < count; doc++) {
        eachText(texts, textStart[doc]!, textStart[doc + 1]!, (kind, from, to) => {
          if (wanted(kind)) for (let at = from; at < to; at++) visit(texts[at]!, doc)
        })
      }
    })
  const names = postingsOf(kind => kind !== textKind.address)
  const addresses = postingsOf(kind => kind === textKind.address)
  const areaDocs = buildPostings(collected.areas.start.length, visit => {
    for (let doc = 0; doc < count; doc++) visit(columns.area[doc]!, doc)
  })
  const labelDocs = buildPostings(collected.labelSets.start.length, visit => {
    for (let doc = 0; doc < count; doc++) visit(columns.labels[doc]!, doc)
  })
  const labelTerms = buildPostings(sorted.length, visit => {
    const { start, runs } = collected.labelSets
    eachList(start.view(), runs.view(), (set, from, to) => {
      for (let at = from; at < to; at++) visit(rankOfTerm[runs.view()[at]!]!, set)
    })
  })
  const areas = buildAreas(collected, columns, { textStart, texts }, rankOfTerm)
  const countryDocs = buildPostings(collected.countries.all.length + 1, visit => {
    for (let doc = 0; doc < count; doc++) visit(columns.country[doc]!, doc)
  })
  const arrays: SegmentArrays = {
    ...columns,
    byId: sortedBy(count, (a, b) => (columns.id[a]! < columns.id[b]! ? -1 : 1)),
    hoursData: copied(collected.hoursData.view(), Uint16Array),
    textStart,
    texts,
    ...buildTerms(sorted),
    weight: weights(sorted, names.start, count, weightOf),
    nameStart: names.start,
    nameDocs: names.docs,
    addressStart: addresses.start,
    addressDocs: addresses.docs,
    ...areas,
    areaTermDocs: termDocs(
      areas.areaTermStart,
      areas.areaTermAreas,
      areaDocs.start,
      shared(Uint32Array, sorted.length + 1),
    ),
    areaDocStart: areaDocs.start,
    areaDocs: areaDocs.docs,
    labelTermStart: labelTerms.start,
    labelTermSets: labelTerms.docs,
    labelTermDocs: termDocs(labelTerms.start, labelTerms.docs, labelDocs.start, shared(Uint32Array, sorted.length + 1)),
    labelDocStart: labelDocs.start,
    labelDocs: labelDocs.docs,
    countryStart: countryDocs.start,
    countryDocs: countryDocs.docs,
    ...commonNames(textStart, texts, names.start),
    ...buildSpelling(sorted),
    ...buildPoints(columns.latitude, columns.longitude, columns.weightedRating),
  }
  const facts = {
    count,
    revision,
    builtMs: nowMs,
    countries: collected.countries.all,
    sources: collected.sources.all,
    zones: collected.zones.all,
  }
  return { facts, arrays }
}

/** Numbers of documents by popularity and of terms by their text. */
function ranks({ columns, count, terms }: Collector) {
  const [status, popularity, id] = [columns.status.view(), columns.popularity.view(), columns.id.view()]
  const order = sortedBy(count, (a, b) => {
    const closed = Number(status[a] === statusCode.CLOSED) - Number(status[b] === statusCode.CLOSED)
    return closed || popularity[b]! - popularity[a]! || (id[a]! < id[b]! ? -1 : 1)
  })
  const arrived = terms.all
  const sorted = arrived.slice().sort()
  const rankOfText = new Map(sorted.map((term, rank) => [term, rank]))
  return { order, sorted, rankOfTerm: Uint32Array.from(arrived, term => rankOfText.get(term)!) }
}

function sortedBy(count: number, compare: (a: number, b: number) => number): Uint32Array {
  const order = shared(Uint32Array, count)
  for (let i = 0; i < count; i++) order[i] = i
  return order.sort(compare)
}

type Columns = { [K in keyof Collector['columns']]: SegmentArrays[K] }

function permuted({ columns }: Collector, order: Uint32Array): Columns {
  const entries = Object.entries(columns).map(([name, column]) => {
    const from = column.view() as Uint32Array
    const to = shared(arrayTypes[name as keyof Columns] as typeof Uint32Array, from.length)
    for (let rank = 0; rank < order.length; rank++) to[rank] = from[order[rank]!]!
    return [name, to]
  })
  return Object.fromEntries(entries) as Columns
}

function orderedTexts(collected: Collector, order: Uint32Array, rankOfTerm: Uint32Array) {
  const from = collected.texts.view()
  const starts = collected.textStart.view()
  const texts = shared(Uint32Array, from.length)
  const textStart = shared(Uint32Array, order.length + 1)
  let next = 0
  for (let rank = 0; rank < order.length; rank++) {
    const doc = order[rank]!
    eachText(from, starts[doc]!, starts[doc + 1] ?? from.length, (_, begin, end) => {
      texts[next++] = from[begin - 1]!
      for (let at = begin; at < end; at++) texts[next++] = rankOfTerm[from[at]!]!
    })
    textStart[rank + 1] = next
  }
  return { textStart, texts }
}

/** Visits the texts between two places, telling the kind and where the terms begin and end. */
function eachText(
  texts: Uint32Array,
  from: number,
  to: number,
  visit: (kind: number, from: number, to: number) => void,
): void {
  for (let at = from; at < to; ) {
    const header = texts[at]!
    const end = at + 1 + (header & 0xff)
    visit(header >>> 30, at + 1, end)
    at = end
  }
}

/** Visits all runs of all lists of a `TermLists`. */
export function eachList(
  start: Uint32Array,
  runs: Uint32Array,
  visit: (list: number, from: number, to: number) => void,
): void {
  for (let list = 0; list < start.length; list++) {
    for (let at = start[list]!; at < (start[list + 1] ?? runs.length); at += runs[at]! + 1) {
      visit(list, at + 1, at + 1 + runs[at]!)
    }
  }
}

/** Inverse document frequency on a scale of 255, bent so that words like "hotel" weigh a third of a rare one. */
export function termWeight(count: number, documents: number): number {
  const rarity = documents < 2 ? 1 : 1 - Math.log(Math.max(1, count)) / Math.log(documents + 1)
  return Math.round(255 * (0.1 + 0.9 * rarity ** 1.5))
}

function weights(
  sorted: readonly string[],
  start: Uint32Array,
  count: number,
  weightOf: BuildOptions['weightOf'],
): Uint8Array {
  const weight = shared(Uint8Array, sorted.length)
  for (let term = 0; term < sorted.length; term++) {
    weight[term] = weightOf?.(sorted[term]!) ?? termWeight(start[term + 1]! - start[term]!, count)
  }
  return weight
}

/** A hash of a name's terms, whatever their order. */
export function bagHash(terms: ArrayLike<number>, from = 0, to = terms.length): number {
  let hash = 0
  for (let at = from; at < to; at++) {
    const mixed = Math.imul(terms[at]! + 1, 0x9e3779b1)
    hash = (hash + Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b)) | 0
  }
  return hash >>> 0
}

function commonNames(textStart: Uint32Array, texts: Uint32Array, nameStart: Uint32Array) {
  const found: { hash: number; doc: number }[] = []
  const isCommon = (term: number) => nameStart[term + 1]! - nameStart[term]! > commonTerm
  for (let doc = 0; doc < textStart.length - 1; doc++) {
    eachText(texts, textStart[doc]!, textStart[doc + 1]!, (kind, from, to) => {
      if (kind === textKind.address) return
      for (let at = from; at < to; at++) if (!isCommon(texts[at]!)) return
      found.push({ hash: bagHash(texts, from, to), doc })
    })
  }
  found.sort((a, b) => a.hash - b.hash || a.doc - b.doc)
  return {
    commonHash: copied(
      found.map(f => f.hash),
      Uint32Array,
    ),
    commonDocs: copied(
      found.map(f => f.doc),
      Uint32Array,
    ),
  }
}

function copied<A extends Uint16Array | Uint32Array>(
  from: ArrayLike<number>,
  make: { readonly BYTES_PER_ELEMENT: number; new (buffer: SharedArrayBuffer): A },
): A {
  const to = shared(make, from.length) as A
  to.set(from)
  return to
}
