import { impact } from '../index/impacts.ts'
import { quality, strength } from './weights.ts'

/** Levels per unit of quality; the highest quality, that of a code, has to fit in 16 bits. */
const levelsPerUnit = 32_768
/** Tolerance for the rounding of sums, in levels. */
const rounding = 0.01

/** Quality of one level. */
export const qualityPerLevel = 1 / levelsPerUnit

/** Returns the lowest level that is not below a quality. */
const levelOf = (value: number): number => Math.ceil(value * levelsPerUnit + rounding)

/** Level of a document that matches by its category. */
export const levelOfCategory = levelOf(quality.categoryAndArea * strength.category)

/** Kind of match between the only word of a query and a term. */
export interface WordMatch {
  readonly strength: number
  readonly isPrefix: boolean
  /** The term may be a code that is typed in capitals. */
  readonly isCode: boolean
}

const tables = new Map<string, Uint16Array>()

/**
 * Returns upper bounds of the quality of a document, in levels, by the impact of the posting that matches the only word
 * of a query: the terms of `Scorer` for one word of strength s in a name of weight W, where the term weighs w, are
 *   s × (base + completeness × s × w / W + ordered + startsName) - penalties,
 * and the impact has the largest w / W of the document's names, and says if a penalty applies to all of them.
 */
export function levelsByImpact({ strength: s, isPrefix, isCode }: WordMatch, shortness: number): Uint16Array {
  const key = `${s} ${isPrefix} ${isCode} ${shortness}`
  const known = tables.get(key)
  if (known) return known
  const table = Uint16Array.from({ length: 256 }, (_, value) => {
    const share = (value & impact.share) / impact.share
    let bound = s * (quality.base + quality.completeness * s * share + quality.ordered)
    if (value & impact.starts) bound += s * quality.startsName
    else bound -= quality.shortInside * shortness
    if (!(value & impact.primary)) {
      // A term with less than the entire weight is not the only one.
      if (isPrefix) bound -= quality.unfinishedAlias
      else if (share < 1) bound -= quality.alias
      bound -= quality.shortAlias * shortness ** 2
    }
    return levelOf(Math.max(bound, quality.minimum) + (isCode ? quality.code : 0))
  })
  tables.set(key, table)
  return table
}
