import { topLevelCategories } from '../../domain/category.ts'
import { eachText, type TextTable, termBagHash, textKind } from './texts.ts'
import { sharedArray } from './typed-arrays.ts'

const geo = topLevelCategories.indexOf('GEO')

/**
 * Builds the look-up of GEO documents by name: the hash of the terms of each name, and its document. Entries
 * are ascending by hash, then by document, each once. A scan of the documents of a common word would visit thousands
 * of namesakes.
 */
export function buildGeoNames({ textStart, texts }: TextTable, category: Uint8Array) {
  const entries = new Set<bigint>()
  for (let doc = 0; doc < category.length; doc++) {
    if (category[doc] !== geo) continue
    eachText(texts, textStart[doc]!, textStart[doc + 1]!, (kind, from, to) => {
      if (kind === textKind.name) entries.add((BigInt(termBagHash(texts, from, to)) << 32n) | BigInt(doc))
    })
  }
  const sorted = BigUint64Array.from(entries).sort()
  const geoHash = sharedArray(Uint32Array, sorted.length)
  const geoDocs = sharedArray(Uint32Array, sorted.length)
  for (let i = 0; i < sorted.length; i++) {
    geoHash[i] = Number(sorted[i]! >> 32n)
    geoDocs[i] = Number(sorted[i]! & 0xffffffffn)
  }
  return { geoHash, geoDocs }
}
