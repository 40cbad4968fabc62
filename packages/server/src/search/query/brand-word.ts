import { topLevelCategories } from '../../domain/category.ts'
import type { Budget } from '../index/budget.ts'
import { impact } from '../index/impacts.ts'
import type { IndexPart } from '../index/index-view.ts'
import type { Word } from './word.ts'

/** Minimum length of a word that may be complete, although longer words begin with it. */
const minLength = 4
/** Minimum number of names that begin with a complete word. */
const minNames = 8
/** Minimum number of these names for each area or station whose name begins with the word. */
const perArea = 2
/** Maximum number of documents of the word that are looked at in each part. */
const maxDocuments = 2000
const documentsPerStep = 24

const areaCategories = new Set([topLevelCategories.indexOf('GEO'), topLevelCategories.indexOf('TRANSPORT')])

/**
 * Returns true if a query is one word with which the names of many places begin that are neither areas nor stations:
 * "jacks" means Jack's and Jack's Grill rather than the beginning of Jacksonville.
 */
export function isBrandWord(parts: readonly IndexPart[], words: readonly Word[], budget: Budget): boolean {
  const [word] = words
  if (word === undefined || words.length > 1 || !word.unfinished || word.text.length < minLength) return false
  let [brands, areas] = [0, 0]
  for (const { segment, dead } of parts) {
    const term = segment.terms.find(word.text)
    if (term < 0) continue
    const { nameStart, nameDocs, nameImpacts, category } = segment.arrays
    const end = Math.min(nameStart[term + 1]!, nameStart[term]! + maxDocuments)
    budget.spend((end - nameStart[term]!) / documentsPerStep)
    for (let at = nameStart[term]!; at < end; at++) {
      const doc = nameDocs[at]!
      if ((nameImpacts[at]! & impact.starts) === 0 || dead?.[doc] === 1) continue
      if (areaCategories.has(category[doc]!)) areas++
      else brands++
    }
  }
  return brands >= minNames && brands >= areas * perArea
}
