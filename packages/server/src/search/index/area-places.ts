import type { SearchDocument } from './document.ts'
import type { DocumentText } from './document-texts.ts'
import { popularity } from './popularity.ts'
import { textKind } from './texts.ts'

/** A GEO document that areas may be named after. */
export interface AreaPlace {
  readonly id: bigint
  readonly isClosed: boolean
  /** 0 to 1. */
  readonly popularity: number
  /** Words of its names. */
  readonly names: readonly (readonly string[])[]
}

/** Places that areas may be named after: for each name, the first GEO document of each country by rank. */
export class AreaPlaces {
  readonly #byName = new Map<string, AreaPlace>()

  /** Adds a document with its texts; ignores all but GEO documents. */
  add(document: SearchDocument, texts: readonly DocumentText[]): void {
    if (document.category !== 'GEO') return
    const names = texts.filter(({ kind }) => kind === textKind.name).map(({ words }) => words)
    const place = {
      id: document.id,
      isClosed: document.status === 'CLOSED',
      // As precise as the column of the segment.
      popularity: Math.fround(popularity(document.rating, document.ratingCount, document.population)),
      names,
    }
    for (const words of names) {
      const key = keyOf(document.country, words)
      const known = this.#byName.get(key)
      if (known === undefined || isBefore(place, known)) this.#byName.set(key, place)
    }
  }

  /** Returns the place in a country that has a name, in any order of its words. */
  find(country: string | undefined, words: readonly string[]): AreaPlace | undefined {
    return this.#byName.get(keyOf(country, words))
  }
}

const keyOf = (country: string | undefined, words: readonly string[]): string =>
  `${country ?? ''}\n${words.length < 2 ? words[0]! : words.toSorted().join(' ')}`

function isBefore(a: AreaPlace, b: AreaPlace): boolean {
  if (a.isClosed !== b.isClosed) return b.isClosed
  return a.popularity !== b.popularity ? a.popularity > b.popularity : a.id < b.id
}
