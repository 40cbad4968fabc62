import { AreaPlaces } from './area-places.ts'
import { commonTermDocuments } from './common-names.ts'
import type { SearchDocument } from './document.ts'
import { textsOf } from './document-texts.ts'
import { termWeight } from './term-weight.ts'
import { textKind } from './texts.ts'

/** Facts about all documents of an index that its parts are built with, so that a document scores the same in each. */
export interface Statistics {
  /** Weight of a term, 0 to 255. */
  weightOf(term: string): number
  /** Returns true if a term occurs in the names of more than `commonTermDocuments` documents. */
  isCommon(term: string): boolean
  readonly places: AreaPlaces
}

/** Statistics of documents, collected in a pass over all of them before the parts are built. */
export class CollectedStatistics implements Statistics {
  readonly places = new AreaPlaces()
  #documents = 0
  /** Number of documents with each term in a name or code. */
  readonly #names = new Map<string, number>()

  add(document: SearchDocument): void {
    const texts = textsOf(document)
    this.#documents++
    this.places.add(document, texts)
    const words = new Set(texts.flatMap(({ kind, words }) => (kind === textKind.address ? [] : words)))
    for (const word of words) this.#names.set(word, (this.#names.get(word) ?? 0) + 1)
  }

  weightOf(term: string): number {
    return termWeight(this.#names.get(term) ?? 0, this.#documents)
  }

  isCommon(term: string): boolean {
    return (this.#names.get(term) ?? 0) > commonTermDocuments
  }
}
