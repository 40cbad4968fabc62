import type { SearchDocument } from './document.ts'
import { type DocumentText, textsOf } from './document-texts.ts'
import { prominence } from './popularity.ts'
import { toUnits } from './regions.ts'
import { geoCategory, type SegmentPlaces, statusCode } from './segment.ts'
import { TermDictionary } from './term-dictionary.ts'
import { eachText, isNameKind } from './texts.ts'

/** A GEO document that areas may be named after. */
export interface AreaPlace {
  readonly id: bigint
  readonly isClosed: boolean
  /** 0 to 1. */
  readonly popularity: number
  /** Units of 1e-7 degrees. */
  readonly latitude: number
  readonly longitude: number
  /** Words of its names. */
  readonly names: readonly (readonly string[])[]
}

/** Places that areas may be named after: for each name, the first GEO document of each country by rank. */
export class AreaPlaces {
  readonly #byName = new Map<string, AreaPlace>()

  /** Adds a document with its texts; ignores all but GEO documents. */
  addDocument(document: SearchDocument, texts: readonly DocumentText[] = textsOf(document)): void {
    if (document.category !== 'GEO') return
    const place = {
      id: document.id,
      isClosed: document.status === 'CLOSED',
      // As precise as the column of the segment.
      popularity: Math.fround(prominence(document)),
      latitude: toUnits(document.latitude),
      longitude: toUnits(document.longitude),
      names: texts.filter(({ kind }) => isNameKind(kind)).map(({ words }) => words),
    }
    this.#add(place, document.country)
  }

  /** Adds the GEO documents of a part that is built. */
  addPart({ facts, arrays }: SegmentPlaces): void {
    const terms = new TermDictionary(arrays)
    const { category, id, status, prominence, country, latitude, longitude, textStart, texts } = arrays
    for (let doc = 0; doc < facts.count; doc++) {
      if (category[doc] !== geoCategory) continue
      const names: string[][] = []
      eachText(texts, textStart[doc]!, textStart[doc + 1]!, (kind, from, to) => {
        if (isNameKind(kind)) names.push(Array.from(texts.subarray(from, to), term => terms.text(term)))
      })
      const isClosed = status[doc] === statusCode.CLOSED
      const at = { latitude: latitude[doc]!, longitude: longitude[doc]! }
      const place = { id: id[doc]!, isClosed, popularity: prominence[doc]!, ...at, names }
      this.#add(place, facts.countries[country[doc]! - 1])
    }
  }

  #add(place: AreaPlace, country: string | undefined): void {
    for (const words of place.names) {
      const key = keyOf(country, words)
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
