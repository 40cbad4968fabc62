import { buildAreaNames } from './area-names.ts'
import type { AreaPlaces } from './area-places.ts'
import { buildAreas } from './areas.ts'
import { Collector } from './collector.ts'
import { commonTermsOf } from './common-names.ts'
import type { SearchDocument } from './document.ts'
import { buildExternalKeys } from './external-keys.ts'
import { buildGeoNames } from './geo-names.ts'
import { buildLabels } from './labels.ts'
import { buildLeaders } from './leaders.ts'
import { permutedNameTexts } from './name-texts.ts'
import { buildPoints } from './points.ts'
import { buildPostings, type Postings, postingsOfColumn } from './postings.ts'
import { buildScores } from './scores.ts'
import { type PlaceArrays, placeTypes, type SegmentData, type SegmentPlaces, statusCode } from './segment.ts'
import { buildSpelling } from './spelling.ts'
import { buildTerms } from './term-dictionary.ts'
import { termWeights } from './term-weight.ts'
import { eachText, type TextTable, textKind } from './texts.ts'
import { sharedArray, sharedCopy } from './typed-arrays.ts'

/** Moment of the state that a segment is built from. */
export interface BuildMoment {
  /** Change-log sequence number up to which the documents include changes. */
  readonly revision: number
  /** Milliseconds since 1970. */
  readonly nowMs: number
}

export interface BuildOptions extends BuildMoment {
  /** Weight of a term, 0 to 255, in place of the one computed from the documents: an overlay uses that of the index. */
  readonly weightOf?: (term: string) => number
  /** Parts that come before the segment in a view, with the leaders of its documents; default: it is the only one. */
  readonly after?: readonly SegmentPlaces[]
}

/**
 * Builds a segment without best lists from documents with distinct ids. Needs about 400 bytes of memory per
 * document while it runs.
 */
export async function buildSegment(
  documents: Iterable<SearchDocument> | AsyncIterable<SearchDocument>,
  { weightOf, after = [], ...moment }: BuildOptions,
): Promise<SegmentData> {
  const collected = await collect(documents)
  const { part, sortedTerms } = assemble(collected, { ...moment, hasSpelling: true })
  const { nameStart } = part.arrays
  const weight = termWeights(sortedTerms, nameStart, collected.count, weightOf)
  const areaNames = buildAreaNames(part, collected.places)!
  const [leaders] = buildLeaders([...after, part], after.length)
  const scores = buildScores(part, areaNames, leaders!, { weight, commonTerms: commonTermsOf(nameStart) })
  return { facts: part.facts, arrays: { ...part.arrays, ...scores } }
}

/** The files of parts have no moment, so that equal documents are equal files. The lexicon has the spelling of all. */
const partOptions = { revision: 0, nowMs: 0, hasSpelling: false }

/** Builds the documents of one of several parts; `places` are those of all parts. */
export const buildPart = async (documents: AsyncIterable<SearchDocument>, places: AreaPlaces): Promise<SegmentPlaces> =>
  assemble(await collect(documents, places), partOptions).part

async function collect(
  documents: Iterable<SearchDocument> | AsyncIterable<SearchDocument>,
  places?: AreaPlaces,
): Promise<Collector> {
  const collected = new Collector(places)
  for await (const document of documents) collected.add(document)
  collected.addAreaNames()
  return collected
}

/** Renumbers the collected documents and terms by rank and builds the arrays that depend on them alone. */
function assemble(
  collected: Collector,
  { revision, nowMs, hasSpelling }: BuildMoment & { readonly hasSpelling: boolean },
): { readonly part: SegmentPlaces; readonly sortedTerms: readonly string[] } {
  const { count } = collected
  const { order, sortedTerms, rankOfTerm } = rank(collected)
  const columns = permutedColumns(collected, order, rankOfTerm)
  const texts = permutedTexts(collected, order, rankOfTerm)
  const names = postingsOfTexts(texts, sortedTerms.length, kind => kind !== textKind.address)
  const addresses = postingsOfTexts(texts, sortedTerms.length, kind => kind === textKind.address)
  const countries = postingsOfColumn(columns.country, collected.countries.all.length + 1)
  const regions = postingsOfColumn(columns.region, collected.regions.all.length + 1)
  const arrays: PlaceArrays = {
    ...columns,
    ...texts,
    ...permutedNameTexts(
      { nameTextStart: collected.nameTextStart.view(), nameTexts: collected.nameTexts.view() },
      order,
    ),
    byId: sortedBy(count, (a, b) => (columns.id[a]! < columns.id[b]! ? -1 : 1)),
    hoursData: sharedCopy(collected.hoursData.view(), Uint16Array),
    ...buildTerms(sortedTerms),
    nameStart: names.start,
    nameDocs: names.docs,
    addressStart: addresses.start,
    addressDocs: addresses.docs,
    ...buildAreas(collected, columns, rankOfTerm),
    ...buildLabels(collected, columns, rankOfTerm),
    countryStart: countries.start,
    countryDocs: countries.docs,
    regionStart: regions.start,
    regionDocs: regions.docs,
    ...buildExternalKeys(collected, order),
    ...buildGeoNames(texts, columns.category),
    ...buildSpelling(hasSpelling ? sortedTerms : []),
    ...buildPoints(columns.latitude, columns.longitude, columns.weightedRating),
  }
  const facts = {
    count,
    revision,
    builtMs: nowMs,
    countries: collected.countries.all,
    regions: collected.regions.all,
    sources: collected.sources.all,
    zones: collected.zones.all,
    languages: collected.languages.all,
  }
  return { part: { facts, arrays }, sortedTerms }
}

/** Ranks documents (CLOSED last, then by prominence, then by id) and terms (by UTF-16 code units). */
function rank({ columns, count, terms }: Collector) {
  const [status, prominence, id] = [columns.status.view(), columns.prominence.view(), columns.id.view()]
  const order = sortedBy(count, (a, b) => {
    const closed = Number(status[a] === statusCode.CLOSED) - Number(status[b] === statusCode.CLOSED)
    return closed || prominence[b]! - prominence[a]! || (id[a]! < id[b]! ? -1 : 1)
  })
  const arrived = terms.all
  const sortedTerms = arrived.slice().sort()
  const rankOfText = new Map(sortedTerms.map((term, rank) => [term, rank]))
  return { order, sortedTerms, rankOfTerm: Uint32Array.from(arrived, term => rankOfText.get(term)!) }
}

/** Returns the numbers from 0 up to `count` (exclusive) in the given order. */
function sortedBy(count: number, compare: (a: number, b: number) => number): Uint32Array {
  const order = sharedArray(Uint32Array, count)
  for (let i = 0; i < count; i++) order[i] = i
  return order.sort(compare)
}

type Columns = { [K in keyof Collector['columns']]: PlaceArrays[K] }

/** Copies the columns in the order of ranks; postal codes become ranks of terms + 1. */
function permutedColumns({ columns }: Collector, order: Uint32Array, rankOfTerm: Uint32Array): Columns {
  const entries = Object.entries(columns).map(([name, column]) => {
    const from = column.view() as Uint32Array
    const to = sharedArray(placeTypes[name as keyof Columns] as typeof Uint32Array, from.length)
    for (let rank = 0; rank < order.length; rank++) to[rank] = from[order[rank]!]!
    return [name, to]
  })
  const permuted = Object.fromEntries(entries) as Columns
  const { postal } = permuted
  for (let doc = 0; doc < postal.length; doc++) if (postal[doc] !== 0) postal[doc] = rankOfTerm[postal[doc]! - 1]! + 1
  return permuted
}

/** Copies the texts in the order of ranks, with ranks of terms. */
function permutedTexts(collected: Collector, order: Uint32Array, rankOfTerm: Uint32Array): TextTable {
  const from = collected.texts.view()
  const starts = collected.textStart.view()
  const texts = sharedArray(Uint32Array, from.length)
  const textStart = sharedArray(Uint32Array, order.length + 1)
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

/** Builds the posting lists of terms for texts of the wanted kinds. */
function postingsOfTexts(
  { textStart, texts }: TextTable,
  terms: number,
  isWanted: (kind: number) => boolean,
): Postings {
  return buildPostings(terms, visit => {
    for (let doc = 0; doc < textStart.length - 1; doc++) {
      eachText(texts, textStart[doc]!, textStart[doc + 1]!, (kind, from, to) => {
        if (isWanted(kind)) for (let at = from; at < to; at++) visit(texts[at]!, doc)
      })
    }
  })
}
