import type { Collector } from './collector.ts'
import { documentSums } from './groups.ts'
import { buildPostings, postingsOfColumn } from './postings.ts'
import type { SegmentArrays } from './segment.ts'
import { eachRun } from './texts.ts'
import { sharedArray, sharedCopy } from './typed-arrays.ts'

type AreaArrays = Pick<
  SegmentArrays,
  | 'areaTermStart'
  | 'areaTermAreas'
  | 'areaTermDocs'
  | 'areaDocStart'
  | 'areaDocs'
  | 'areaTextStart'
  | 'areaTexts'
  | 'areaKey'
  | 'areaPlace'
  | 'placePopularity'
  | 'placeTextStart'
  | 'placeTexts'
>
/** Lists of runs of terms. */
interface Runs {
  readonly start: Uint32Array
  readonly runs: Uint32Array
}

/**
 * Builds the group index of areas. An area is a distinct combination of surroundings and geo ids, shared by all
 * documents that have it; it is found by the terms of its own names and by all names of the place that it is named
 * after.
 */
export function buildAreas(
  collected: Collector,
  columns: Pick<SegmentArrays, 'area'>,
  rankOfTerm: Uint32Array,
): AreaArrays {
  const { areas, areaPlace, placeTextStart, placeTexts } = collected
  const count = areas.start.length
  const names = ranked(areas.start.view(), areas.runs.view(), rankOfTerm)
  const places = ranked(placeTextStart.view(), placeTexts.view(), rankOfTerm)
  const placeOf = sharedCopy(areaPlace, Uint32Array)
  const terms = buildPostings(rankOfTerm.length, visit => {
    for (let area = 0; area < count; area++) {
      eachTerm(names, area, term => visit(term, area))
      if (placeOf[area] !== 0) eachTerm(places, placeOf[area]! - 1, term => visit(term, area))
    }
  })
  const docs = postingsOfColumn(columns.area, count)
  return {
    areaTextStart: names.start,
    areaTexts: names.runs,
    areaKey: sharedCopy(areas.keys.view(), Float64Array),
    areaPlace: placeOf,
    placePopularity: sharedCopy(collected.placePopularity.view(), Float32Array),
    placeTextStart: places.start,
    placeTexts: places.runs,
    areaTermStart: terms.start,
    areaTermAreas: terms.docs,
    areaTermDocs: documentSums({ termStart: terms.start, termGroups: terms.docs, docStart: docs.start }),
    areaDocStart: docs.start,
    areaDocs: docs.docs,
  }
}

/** Copies runs and replaces terms in order of arrival by their ranks; `start` gets one entry more. */
function ranked(start: Uint32Array, runs: Uint32Array, rankOfTerm: Uint32Array): Runs {
  const to = { start: sharedArray(Uint32Array, start.length + 1), runs: sharedArray(Uint32Array, runs.length) }
  to.start.set(start)
  to.start[start.length] = runs.length
  eachRun(start, runs, (_, from, end) => {
    to.runs[from - 1] = end - from
    for (let at = from; at < end; at++) to.runs[at] = rankOfTerm[runs[at]!]!
  })
  return to
}

function eachTerm({ start, runs }: Runs, list: number, visit: (term: number) => void): void {
  for (let at = start[list]!; at < start[list + 1]!; at += runs[at]! + 1) {
    for (let i = 1; i <= runs[at]!; i++) visit(runs[at + i]!)
  }
}
