import { topLevelCategories } from '../../domain/category.ts'
import type { Collector } from './collector.ts'
import { documentSums } from './groups.ts'
import { buildPostings, postingsOfColumn } from './postings.ts'
import type { SegmentArrays } from './segment.ts'
import { eachRun, kindOfText, lengthOfText, type TextTable, termBagHash, textKind } from './texts.ts'
import { sharedArray } from './typed-arrays.ts'

type AreaArrays = Pick<
  SegmentArrays,
  | 'areaTermStart'
  | 'areaTermAreas'
  | 'areaTermDocs'
  | 'areaDocStart'
  | 'areaDocs'
  | 'areaTextStart'
  | 'areaTexts'
  | 'areaPlace'
>
type Columns = Pick<SegmentArrays, 'category' | 'country' | 'area'>
type AreaTexts = Pick<SegmentArrays, 'areaTextStart' | 'areaTexts'>

const geo = topLevelCategories.indexOf('GEO')

/**
 * Builds the group index of areas. An area is a distinct combination of surroundings and geo ids, shared by all
 * documents that have it; it is found by the terms of its own names and by all names of the GEO document that it is
 * named after.
 */
export function buildAreas(
  collected: Collector,
  columns: Columns,
  texts: TextTable,
  rankOfTerm: Uint32Array,
): AreaArrays {
  const count = collected.areas.start.length
  const areaTexts = permutedAreaTexts(collected, rankOfTerm)
  const areaPlace = placesOfAreas(collected, columns, texts, areaTexts)
  const terms = buildPostings(rankOfTerm.length, visit => {
    for (let area = 0; area < count; area++) {
      eachAreaTerm(areaTexts, area, term => visit(term, area))
      if (areaPlace[area] === 0) continue
      for (const [from, to] of namesOf(texts, areaPlace[area]! - 1))
        for (let at = from; at < to; at++) visit(texts.texts[at]!, area)
    }
  })
  const docs = postingsOfColumn(columns.area, count)
  return {
    ...areaTexts,
    areaPlace,
    areaTermStart: terms.start,
    areaTermAreas: terms.docs,
    areaTermDocs: documentSums({ termStart: terms.start, termGroups: terms.docs, docStart: docs.start }),
    areaDocStart: docs.start,
    areaDocs: docs.docs,
  }
}

/** Copies the names of areas and replaces terms in order of arrival by their ranks. */
function permutedAreaTexts({ areas }: Collector, rankOfTerm: Uint32Array): AreaTexts {
  const runs = areas.runs.view()
  const start = areas.start.view()
  const areaTextStart = sharedArray(Uint32Array, start.length + 1)
  const areaTexts = sharedArray(Uint32Array, runs.length)
  areaTextStart.set(start)
  areaTextStart[start.length] = runs.length
  eachRun(start, runs, (_, from, to) => {
    areaTexts[from - 1] = to - from
    for (let at = from; at < to; at++) areaTexts[at] = rankOfTerm[runs[at]!]!
  })
  return { areaTextStart, areaTexts }
}

/**
 * Finds the place that each area is named after: the most popular GEO document in the area's country that has the name
 * of the area in any language. An area `Firenze` takes over all names of its place, and is thus also found as
 * `Florence`. Names are compared by hash. Returns document + 1 for each area, 0 without such a place.
 */
function placesOfAreas(
  { areaCountry }: Collector,
  { category, country }: Columns,
  names: TextTable,
  { areaTextStart, areaTexts }: AreaTexts,
): Uint32Array {
  const key = (ofCountry: number, terms: Uint32Array, from: number, to: number) =>
    ofCountry * 2 ** 32 + termBagHash(terms, from, to)
  const start = areaTextStart.subarray(0, -1)
  const countries = areaCountry.view()
  /** GEO document by country and name; -1 until one is found. */
  const placeOf = new Map<number, number>()
  eachRun(start, areaTexts, (area, from, to) => placeOf.set(key(countries[area]!, areaTexts, from, to), -1))
  for (let doc = 0; doc < category.length; doc++) {
    if (category[doc] !== geo) continue
    for (const [from, to] of namesOf(names, doc)) {
      const name = key(country[doc]!, names.texts, from, to)
      if (placeOf.get(name) === -1) placeOf.set(name, doc)
    }
  }
  const areaPlace = sharedArray(Uint32Array, start.length)
  eachRun(start, areaTexts, (area, from, to) => {
    const place = placeOf.get(key(countries[area]!, areaTexts, from, to))!
    if (areaPlace[area] === 0) areaPlace[area] = place + 1
  })
  return areaPlace
}

function eachAreaTerm({ areaTextStart, areaTexts }: AreaTexts, area: number, visit: (term: number) => void): void {
  for (let at = areaTextStart[area]!; at < areaTextStart[area + 1]!; at += areaTexts[at]! + 1) {
    for (let i = 1; i <= areaTexts[at]!; i++) visit(areaTexts[at + i]!)
  }
}

/** Yields the range of the terms of each name of a document. */
function* namesOf({ textStart, texts }: TextTable, doc: number): Generator<[from: number, to: number]> {
  for (let at = textStart[doc]!; at < textStart[doc + 1]!; ) {
    const header = texts[at]!
    const end = at + 1 + lengthOfText(header)
    if (kindOfText(header) === textKind.name) yield [at + 1, end]
    at = end
  }
}
