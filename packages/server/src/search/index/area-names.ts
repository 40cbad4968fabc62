import { Growable } from '../../kit/growable.ts'
import type { AreaPlace, AreaPlaces } from './area-places.ts'
import { documentSums } from './groups.ts'
import { buildPostings } from './postings.ts'
import type { ScoreArrays, SegmentPlaces } from './segment.ts'
import { TermDictionary } from './term-dictionary.ts'
import { eachRun } from './texts.ts'
import { sharedArray, sharedCopy } from './typed-arrays.ts'

/** Terms by which areas are found. */
export type AreaNames = Pick<
  ScoreArrays,
  'areaTermStart' | 'areaTermAreas' | 'areaTermDocs' | 'areaPlace' | keyof PlaceColumns
>

/** Columns of the places that areas are named after. */
type PlaceColumns = Pick<
  ScoreArrays,
  'placePopularity' | 'placeLatitude' | 'placeLongitude' | 'placeTextStart' | 'placeTexts'
>

/**
 * Builds the group index of areas. An area is found by the terms of its own names and by all names of the place that it
 * is named after: the first one in the area's country that has a name of the area in any language. An area `Firenze` is
 * thus also found as `Florence`. Returns undefined if the terms of the part lack a word of such a name.
 */
export function buildAreaNames(part: SegmentPlaces, places: AreaPlaces): AreaNames | undefined {
  const { areaTextStart, areaTexts, areaDocStart, termStart } = part.arrays
  const found = findPlaces(part, places)
  if (found === undefined) return undefined
  const { areaPlace, placeTextStart, placeTexts } = found
  const terms = buildPostings(termStart.length - 1, visit => {
    for (let area = 0; area < areaPlace.length; area++) {
      eachTerm(areaTextStart, areaTexts, area, term => visit(term, area))
      if (areaPlace[area] !== 0) eachTerm(placeTextStart, placeTexts, areaPlace[area]! - 1, term => visit(term, area))
    }
  })
  return {
    ...found,
    areaTermStart: terms.start,
    areaTermAreas: terms.docs,
    areaTermDocs: documentSums({ termStart: terms.start, termGroups: terms.docs, docStart: areaDocStart }),
  }
}

/** Finds the place that each area of a part is named after. */
function findPlaces({ facts, arrays }: SegmentPlaces, places: AreaPlaces) {
  const { areaTextStart, areaTexts, areaDocStart, areaDocs, country } = arrays
  const terms = new TermDictionary(arrays)
  const areaPlace = sharedArray(Uint32Array, areaTextStart.length - 1)
  const named = new NamedPlaces(terms)
  eachRun(areaTextStart.subarray(0, -1), areaTexts, (area, from, to) => {
    if (areaPlace[area] !== 0) return
    // The documents of an area have one country.
    const code = facts.countries[country[areaDocs[areaDocStart[area]!]!]! - 1]
    const words = Array.from(areaTexts.subarray(from, to), term => terms.text(term))
    const place = places.find(code, words)
    if (place !== undefined) areaPlace[area] = named.numberOf(place) + 1
  })
  return named.lacksTerm ? undefined : { areaPlace, ...named.arrays() }
}

/** Places that areas are named after, numbered in order of first use. */
class NamedPlaces {
  /** True if a word of a name is no term. */
  lacksTerm = false
  readonly #terms: TermDictionary
  readonly #numbers = new Map<AreaPlace, number>()
  readonly #popularity = new Growable(Float32Array)
  readonly #latitude = new Growable(Int32Array)
  readonly #longitude = new Growable(Int32Array)
  readonly #start = new Growable(Uint32Array)
  readonly #runs = new Growable(Uint32Array)

  constructor(terms: TermDictionary) {
    this.#terms = terms
  }

  numberOf(place: AreaPlace): number {
    const known = this.#numbers.get(place)
    if (known !== undefined) return known
    this.#numbers.set(place, this.#numbers.size)
    this.#popularity.push(place.popularity)
    this.#latitude.push(place.latitude)
    this.#longitude.push(place.longitude)
    this.#start.push(this.#runs.length)
    for (const words of place.names) {
      this.#runs.push(words.length)
      for (const word of words) this.#runs.push(this.#termOf(word))
    }
    return this.#numbers.size - 1
  }

  #termOf(word: string): number {
    const term = this.#terms.find(word)
    if (term < 0) this.lacksTerm = true
    return Math.max(term, 0)
  }

  arrays(): PlaceColumns {
    this.#start.push(this.#runs.length)
    return {
      placePopularity: sharedCopy(this.#popularity.view(), Float32Array),
      placeLatitude: sharedCopy(this.#latitude.view(), Int32Array),
      placeLongitude: sharedCopy(this.#longitude.view(), Int32Array),
      placeTextStart: sharedCopy(this.#start.view(), Uint32Array),
      placeTexts: sharedCopy(this.#runs.view(), Uint32Array),
    }
  }
}

/** Visits the terms of the runs of a list. */
function eachTerm(start: Uint32Array, runs: Uint32Array, list: number, visit: (term: number) => void): void {
  for (let at = start[list]!; at < start[list + 1]!; at += runs[at]! + 1) {
    for (let i = 1; i <= runs[at]!; i++) visit(runs[at + i]!)
  }
}
