import { topLevelCategories } from '../../domain/category.ts'
import { bagHash, eachList } from './build.ts'
import type { Collector } from './collector.ts'
import { shared } from './growable.ts'
import { buildPostings } from './postings.ts'
import { type SegmentArrays, textKind } from './segment.ts'

type AreaArrays = Pick<SegmentArrays, 'areaTermStart' | 'areaTermAreas' | 'areaTextStart' | 'areaTexts' | 'areaPlace'>

const geo = topLevelCategories.indexOf('GEO')

/**
 * Names of areas, and the place that each is named after: the most popular GEO document of that name in that country.
 * A place in `Firenze` is thereby found under `Florence`, for the area takes over all names of its place.
 */
export function buildAreas(
  { areas, areaCountry }: Collector,
  columns: Pick<SegmentArrays, 'category' | 'country'>,
  { textStart, texts }: Pick<SegmentArrays, 'textStart' | 'texts'>,
  rankOfTerm: Uint32Array,
): AreaArrays {
  const count = areas.start.length
  const areaTextStart = shared(Uint32Array, count + 1)
  const areaTexts = shared(Uint32Array, areas.runs.length)
  const runs = areas.runs.view()
  areaTextStart.set(areas.start.view())
  areaTextStart[count] = runs.length
  eachList(areas.start.view(), runs, (_, from, to) => {
    areaTexts[from - 1] = to - from
    for (let at = from; at < to; at++) areaTexts[at] = rankOfTerm[runs[at]!]!
  })

  const key = (country: number, terms: Uint32Array, from: number, to: number) =>
    country * 2 ** 32 + bagHash(terms, from, to)
  const placeOf = new Map<number, number>()
  const countries = areaCountry.view()
  eachList(areas.start.view(), areaTexts, (area, from, to) =>
    placeOf.set(key(countries[area]!, areaTexts, from, to), -1),
  )
  const nameRuns = function* (doc: number): Generator<[number, number]> {
    for (let at = textStart[doc]!; at < textStart[doc + 1]!; ) {
      const header = texts[at]!
      const end = at + 1 + (header & 0xff)
      if (header >>> 30 === textKind.name) yield [at + 1, end]
      at = end
    }
  }
  for (let doc = 0; doc < columns.category.length; doc++) {
    if (columns.category[doc] !== geo) continue
    for (const [from, to] of nameRuns(doc)) {
      const name = key(columns.country[doc]!, texts, from, to)
      if (placeOf.get(name) === -1) placeOf.set(name, doc)
    }
  }
  const areaPlace = shared(Uint32Array, count)
  eachList(areas.start.view(), areaTexts, (area, from, to) => {
    const place = placeOf.get(key(countries[area]!, areaTexts, from, to))!
    if (areaPlace[area] === 0) areaPlace[area] = place + 1
  })

  const terms = buildPostings(rankOfTerm.length, visit => {
    for (let area = 0; area < count; area++) {
      for (let at = areaTextStart[area]!; at < areaTextStart[area + 1]!; at += areaTexts[at]! + 1) {
        for (let i = 1; i <= areaTexts[at]!; i++) visit(areaTexts[at + i]!, area)
      }
      if (areaPlace[area] === 0) continue
      for (const [from, to] of nameRuns(areaPlace[area]! - 1))
        for (let at = from; at < to; at++) visit(texts[at]!, area)
    }
  })
  return { areaTermStart: terms.start, areaTermAreas: terms.docs, areaTextStart, areaTexts, areaPlace }
}
