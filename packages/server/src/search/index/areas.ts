import type { Collector } from './collector.ts'
import { postingsOfColumn } from './postings.ts'
import type { PlaceArrays } from './segment.ts'
import { eachRun } from './texts.ts'
import { sharedArray, sharedCopy } from './typed-arrays.ts'

type AreaArrays = Pick<
  PlaceArrays,
  'areaDocStart' | 'areaDocs' | 'areaTextStart' | 'areaTexts' | 'areaKey' | 'areaLabelStart' | 'areaLabels'
>

/**
 * Builds the columns of areas. An area is a distinct combination of surroundings and geo ids, shared by all documents
 * that have it.
 */
export function buildAreas(
  { areas, areaLabelStart, areaLabels }: Collector,
  columns: Pick<PlaceArrays, 'area'>,
  rankOfTerm: Uint32Array,
): AreaArrays {
  const [start, runs] = [areas.start.view(), areas.runs.view()]
  const areaTextStart = sharedArray(Uint32Array, start.length + 1)
  areaTextStart.set(start)
  areaTextStart[start.length] = runs.length
  // Terms in order of arrival become ranks.
  const areaTexts = sharedArray(Uint32Array, runs.length)
  eachRun(start, runs, (_, from, end) => {
    areaTexts[from - 1] = end - from
    for (let at = from; at < end; at++) areaTexts[at] = rankOfTerm[runs[at]!]!
  })
  const docs = postingsOfColumn(columns.area, start.length)
  return {
    areaTextStart,
    areaTexts,
    areaKey: sharedCopy(areas.keys.view(), Float64Array),
    areaLabelStart: sharedCopy([...areaLabelStart.view(), areaLabels.length], Uint32Array),
    areaLabels: sharedCopy(areaLabels.view(), Uint8Array),
    areaDocStart: docs.start,
    areaDocs: docs.docs,
  }
}
