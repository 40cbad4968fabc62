import type { Budget } from '../index/budget.ts'
import type { IndexPart } from '../index/index-view.ts'
import { hasName, termBagHash } from '../index/texts.ts'
import { lowerBound } from '../index/typed-arrays.ts'
import type { Word } from './word.ts'

/** Returns true if the words are the entire name of a live GEO document. */
export const isNameOfGeo = (parts: readonly IndexPart[], words: readonly Word[], budget: Budget): boolean =>
  parts.some(({ segment: { terms, arrays }, dead }) => {
    budget.spend(words.length)
    const name = words.map(({ text }) => terms.find(text))
    if (name.includes(-1)) return false
    const { geoHash, geoDocs } = arrays
    const hash = termBagHash(name)
    for (let at = lowerBound(geoHash, hash); geoHash[at] === hash; at++) {
      budget.spend(1)
      if (dead?.[geoDocs[at]!] !== 1 && hasName(arrays, geoDocs[at]!, name)) return true
    }
    return false
  })
