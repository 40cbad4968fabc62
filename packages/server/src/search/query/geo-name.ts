import type { Point } from '../../domain/search.ts'
import { mapList } from '../../kit/map-list.ts'
import type { Budget } from '../index/budget.ts'
import type { IndexPart } from '../index/index-view.ts'
import { unitsPerDegree } from '../index/regions.ts'
import { hasName, termBagHash } from '../index/texts.ts'
import { lowerBoundOfHash } from '../index/typed-arrays.ts'
import type { Word } from './word.ts'

/** Maximum number of namesakes whose positions are compared. */
const maxNamesakes = 64

/** Returns the positions of the live GEO documents whose entire name the words are; of very many some. */
export function geosOfName(parts: readonly IndexPart[], words: readonly Word[], budget: Budget): Point[] {
  const found: Point[] = []
  const typed = mapList(words, ({ text }) => text)
  for (const { segment, dead } of parts) {
    budget.spend(words.length)
    const name = segment.terms.findAll(typed)
    if (name === undefined) continue
    const { geoHash, geoDocs, latitude, longitude } = segment.arrays
    const hash = termBagHash(name)
    for (let at = lowerBoundOfHash(geoHash, hash); geoHash[at] === hash && found.length < maxNamesakes; at++) {
      budget.spend(1)
      const doc = geoDocs[at]!
      if (dead?.[doc] === 1 || !hasName(segment.arrays, doc, name)) continue
      found.push({ latitude: latitude[doc]! / unitsPerDegree, longitude: longitude[doc]! / unitsPerDegree })
    }
  }
  return found
}
