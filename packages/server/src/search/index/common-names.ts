import { eachText, type TextTable, termBagHash, textKind } from './texts.ts'
import { lowerBound, sharedCopy } from './typed-arrays.ts'

/** A term that occurs in the names of more documents than this is common. */
export const commonTermDocuments = 5000

/** Returns the common terms, ascending; `nameStart` delimits the posting lists of names. */
export function commonTermsOf(nameStart: Uint32Array): Uint32Array {
  const found: number[] = []
  for (let term = 0; term < nameStart.length - 1; term++) {
    if (nameStart[term + 1]! - nameStart[term]! > commonTermDocuments) found.push(term)
  }
  return sharedCopy(found, Uint32Array)
}

/** Returns true if a term is one of the common terms. */
export const isCommonTerm = (commonTerms: Uint32Array, term: number): boolean =>
  commonTerms[lowerBound(commonTerms, term)] === term

/**
 * Builds the lookup of names that consist of common terms only ("Grand Hotel"). Their posting lists are too long to
 * reach an unpopular document of that name; the hash of the terms finds it directly. Entries are ascending by hash,
 * then by document.
 */
export function buildCommonNames({ textStart, texts }: TextTable, terms: number, commonTerms: Uint32Array) {
  const isCommon = new Uint8Array(terms)
  for (const term of commonTerms) isCommon[term] = 1
  const found: { hash: number; doc: number }[] = []
  for (let doc = 0; doc < textStart.length - 1; doc++) {
    eachText(texts, textStart[doc]!, textStart[doc + 1]!, (kind, from, to) => {
      if (kind === textKind.address) return
      for (let at = from; at < to; at++) if (isCommon[texts[at]!] === 0) return
      found.push({ hash: termBagHash(texts, from, to), doc })
    })
  }
  found.sort((a, b) => a.hash - b.hash || a.doc - b.doc)
  const [hashes, docs] = [found.map(({ hash }) => hash), found.map(({ doc }) => doc)]
  return { commonTerms, commonHash: sharedCopy(hashes, Uint32Array), commonDocs: sharedCopy(docs, Uint32Array) }
}
