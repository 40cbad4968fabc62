import type { Postings } from './postings.ts'
import { eachText, kindOfText, nameOfText, type TextTable, textKind } from './texts.ts'
import { sharedArray, sharedCopy } from './typed-arrays.ts'

/**
 * Impacts of postings (compare the impact-ordered lists of Anh and Moffat 2006): one byte for each entry of `nameDocs`
 * with the most that the document's names offer to a query of the term. A query bounds the score of the document by it
 * without a look at the names. Each part is the best of all names, which need not be the same one.
 */
export const impact = {
  /** The share of the term in the weight of the name, in units of 1 / `impact.share`, rounded up. */
  share: 0x3f,
  /** The term is the first one of a name. */
  starts: 0x40,
  /** The term is in the primary name. */
  primary: 0x80,
} as const

/**
 * Summary of the names and codes of a document in one byte: `isOnly` if it has one, and the weight of the lightest, the
 * sum of the weights of its terms, in units of `weightPerUnit`, rounded down.
 */
export const nameSummary = { lightest: 0x7f, isOnly: 0x80, weightPerUnit: 16 } as const

/** Facts about texts that save queries a look at them. */
export interface ImpactTable {
  /** Impact of each entry of `nameDocs`. */
  readonly nameImpacts: Uint8Array
  /** Summary of the names of each document. */
  readonly nameSummaries: Uint8Array
  /** Documents with a text that repeats a term, ascending. */
  readonly repeatingDocs: Uint32Array
}

/** Builds the table for the posting lists of names and codes; `weight` has the weight of each term. */
export function buildImpacts(
  { textStart, texts }: TextTable,
  weight: Uint8Array,
  { start, docs }: Postings,
): ImpactTable {
  const nameImpacts = sharedArray(Uint8Array, docs.length)
  const nameSummaries = sharedArray(Uint8Array, textStart.length - 1)
  const repeating: number[] = []
  // The next entry of each list: documents are ascending in the lists and here.
  const next = start.slice(0, -1)
  for (let doc = 0; doc < nameSummaries.length; doc++) {
    const first = textStart[doc]! + 1
    let lightest: number = nameSummary.lightest
    let names = 0
    eachText(texts, textStart[doc]!, textStart[doc + 1]!, (kind, from, to) => {
      if (repeating.at(-1) !== doc && repeatsTerm(texts, from, to)) repeating.push(doc)
      if (kind === textKind.address) return
      let total = 0
      for (let at = from; at < to; at++) total += weight[texts[at]!]!
      lightest = Math.min(lightest, Math.floor(total / nameSummary.weightPerUnit))
      names++
      const isPrimary = isPrimaryText(texts, from - 1, first - 1)
      for (let at = from; at < to; at++) {
        const term = texts[at]!
        if (docs[next[term]!] !== doc) next[term]!++
        const share = Math.ceil((weight[term]! / total) * impact.share)
        const flags = (at === from ? impact.starts : 0) | (isPrimary ? impact.primary : 0)
        const known = nameImpacts[next[term]!]!
        nameImpacts[next[term]!] = ((known | flags) & ~impact.share) | Math.max(known & impact.share, share)
      }
    })
    nameSummaries[doc] = lightest | (names === 1 ? nameSummary.isOnly : 0)
  }
  return { nameImpacts, nameSummaries, repeatingDocs: sharedCopy(repeating, Uint32Array) }
}

/** Returns true if the text with the header at a position is the first one of its document, or a variant of it. */
function isPrimaryText(texts: Uint32Array, at: number, first: number): boolean {
  const header = texts[at]!
  return at === first || (kindOfText(header) === textKind.variant && nameOfText(header) === nameOfText(texts[first]!))
}

/** Returns true if a term occurs twice between `from` and `to` (exclusive). */
function repeatsTerm(texts: Uint32Array, from: number, to: number): boolean {
  for (let at = from + 1; at < to; at++) {
    for (let before = from; before < at; before++) if (texts[before] === texts[at]) return true
  }
  return false
}
