import { eachText, type TextTable, termBagHash, textKind } from './texts.ts'
import { sharedCopy } from './typed-arrays.ts'

/** A term that occurs in the names of more documents than this is common. */
const commonTermDocuments = 5000

/** Returns true if a term is common; `nameStart` delimits the posting lists of names. */
export const isCommonTerm = (nameStart: Uint32Array, term: number): boolean =>
  nameStart[term + 1]! - nameStart[term]! > commonTermDocuments

/**
 * Builds the lookup of names that consist of common terms only ("Grand Hotel"). Their posting lists are too long to
 * reach an unpopular document of that name; the hash of the terms finds it directly. Entries are ascending by hash,
 * then by document. `nameStart` delimits the posting lists of names.
 */
export function buildCommonNames({ textStart, texts }: TextTable, nameStart: Uint32Array) {
  const found: { hash: number; doc: number }[] = []
  for (let doc = 0; doc < textStart.length - 1; doc++) {
    eachText(texts, textStart[doc]!, textStart[doc + 1]!, (kind, from, to) => {
      if (kind === textKind.address) return
      for (let at = from; at < to; at++) if (!isCommonTerm(nameStart, texts[at]!)) return
      found.push({ hash: termBagHash(texts, from, to), doc })
    })
  }
  found.sort((a, b) => a.hash - b.hash || a.doc - b.doc)
  const [hashes, docs] = [found.map(({ hash }) => hash), found.map(({ doc }) => doc)]
  return { commonHash: sharedCopy(hashes, Uint32Array), commonDocs: sharedCopy(docs, Uint32Array) }
}
