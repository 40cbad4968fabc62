import type { AreaNames } from './area-names.ts'
import { noBestLists } from './best-lists.ts'
import { buildCommonNames } from './common-names.ts'
import { buildImpacts } from './impacts.ts'
import type { ScoreArrays, SegmentPlaces } from './segment.ts'

/** Statistics of the terms of a part over the documents of all parts. */
export interface TermStatistics {
  /** Weight of each term. */
  readonly weight: Uint8Array
  /** Terms that are common in all parts together, ascending. */
  readonly commonTerms: Uint32Array
}

/** Builds the arrays of a segment that depend on statistics, without best lists. */
export const buildScores = (
  { arrays }: SegmentPlaces,
  areaNames: AreaNames,
  leader: Uint32Array,
  { weight, commonTerms }: TermStatistics,
): ScoreArrays => ({
  ...areaNames,
  leader,
  weight,
  ...buildImpacts(arrays, weight, { start: arrays.nameStart, docs: arrays.nameDocs }),
  ...buildCommonNames(arrays, weight.length, commonTerms),
  ...noBestLists(),
})
