import { type AreaNames, buildAreaNames } from './area-names.ts'
import type { AreaPlaces } from './area-places.ts'
import { buildLexicon, mergeTerms, statisticsOf } from './build-lexicon.ts'
import { buildLeaders } from './leaders.ts'
import type { LexiconData } from './lexicon.ts'
import { buildScores } from './scores.ts'
import type { SegmentData, SegmentPlaces } from './segment.ts'

/** A part, with the names of its areas if they are known. */
export interface UnscoredPart {
  readonly part: SegmentPlaces
  readonly areaNames?: AreaNames | undefined
}

/** Scores the documents of all parts with one another, and builds their lexicon without best lists. */
export function scoreParts(
  parts: readonly UnscoredPart[],
  places: AreaPlaces,
): { readonly parts: readonly SegmentData[]; readonly lexicon: LexiconData } {
  const merged = mergeTerms(parts.map(({ part }) => part))
  const leaders = buildLeaders(parts.map(({ part }) => part))
  const scored = parts.map(({ part, areaNames = buildAreaNames(part, places)! }, i) => {
    const scores = buildScores(part, areaNames, leaders[i]!, statisticsOf(merged, i))
    return { facts: part.facts, arrays: { ...part.arrays, ...scores } }
  })
  return { parts: scored, lexicon: buildLexicon(merged, scored) }
}
