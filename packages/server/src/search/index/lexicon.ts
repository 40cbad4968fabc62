import type { BestListTable } from './best-lists.ts'
import type { Segment } from './segment.ts'
import type { SpellingTable } from './spelling.ts'
import { TermDictionary, type TermTable } from './term-dictionary.ts'

/**
 * Arrays of the terms of all parts and their element types, like those of a segment of all documents. T is the number
 * of terms, P of parts.
 */
export const lexiconTypes = {
  termStart: Uint32Array,
  termUnits: Uint16Array,
  weight: Uint8Array,
  /** Terms in the names of more than `commonTermDocuments` documents, ascending. */
  commonTerms: Uint32Array,
  /** Length T + 1: number of documents with an earlier term in a name, summed over terms; so are the three below. */
  nameStart: Uint32Array,
  addressStart: Uint32Array,
  /** Number of distinct areas. */
  areaTermStart: Uint32Array,
  /** Number of distinct label sets. */
  labelTermStart: Uint32Array,
  spellStart: Uint32Array,
  spellGroups: Uint32Array,
  /** Length P × (T + 1): for each part, the number of its terms below each term. */
  partTerms: Uint32Array,

  // Best documents of words; see best-lists.ts.
  bestTerm: Uint32Array,
  bestLength: Uint8Array,
  bestTotal: Uint32Array,
  bestStart: Uint32Array,
  bestPart: Uint8Array,
  bestDocs: Uint32Array,
  bestScore: Float64Array,
  bestName: Int32Array,
} as const

/** Arrays that a lexicon and a segment both have. */
interface SharedArrays extends TermTable, SpellingTable, BestListTable {
  readonly weight: Uint8Array
  readonly commonTerms: Uint32Array
  readonly nameStart: Uint32Array
  readonly addressStart: Uint32Array
  readonly areaTermStart: Uint32Array
  readonly labelTermStart: Uint32Array
}

export interface LexiconArrays extends SharedArrays {
  readonly partTerms: Uint32Array
}

/** Plain data of a lexicon. */
export interface LexiconData {
  /** Number of documents in all parts. */
  readonly count: number
  readonly arrays: LexiconArrays
}

/** Returns the number of parts of a lexicon. */
export const partsOf = ({ arrays }: LexiconData): number => arrays.partTerms.length / arrays.termStart.length

/** Terms of one or several parts with their statistics, so that a query gets the same scores from every part. */
export class Lexicon {
  /** Number of documents in all parts. */
  readonly count: number
  readonly terms: TermDictionary
  readonly arrays: SharedArrays
  /** Undefined for a single part, whose terms have the same numbers. */
  readonly data: LexiconData | undefined

  private constructor(count: number, terms: TermDictionary, arrays: SharedArrays, data?: LexiconData) {
    this.count = count
    this.terms = terms
    this.arrays = arrays
    this.data = data
  }

  /** Returns the lexicon of several parts. */
  static open(data: LexiconData): Lexicon {
    return new Lexicon(data.count, new TermDictionary(data.arrays), data.arrays, data)
  }

  /** Returns the lexicon of a segment that is the only part. */
  static of({ count, terms, arrays }: Segment): Lexicon {
    return new Lexicon(count, terms, arrays)
  }

  /** Returns the number of terms of a part below a term: the part's number of the term, if it has it. */
  termsBelow(part: number, term: number): number {
    return this.data === undefined ? term : this.data.arrays.partTerms[part * (this.terms.count + 1) + term]!
  }

  /** Returns a part's number of a term, or -1 if it does not have it; -1 for -1. */
  termIn(part: number, term: number): number {
    if (this.data === undefined || term < 0) return term
    const below = this.termsBelow(part, term)
    return this.termsBelow(part, term + 1) > below ? below : -1
  }
}
