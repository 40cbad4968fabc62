import type { Point } from '../../domain/search.ts'
import type { Segment } from '../index/segment.ts'
import { eachText, isNameKind } from '../index/texts.ts'
import type { PlaceDocuments } from './understand/place-documents.ts'
import type { ReadPlace } from './understand/read-place.ts'
import { bonus } from './weights.ts'

/** Place of a reading. */
export interface VariantPlace {
  readonly bonus: number
  /** Areas of the place; other documents in its circle get a part of the bonus. */
  readonly areas: ReadonlySet<number>
  readonly centre: Point | undefined
  /** Returns true for a document that is named after the place, and therefore belongs to it. */
  readonly isNamedAfter?: (doc: number) => boolean
  /** Radius of the circle around a landmark, in which closeness counts; undefined for other places. */
  readonly radiusKm?: number
}

/** Returns what the place of a reading adds to the score of the documents of a part. */
export function variantPlace(
  segment: Segment,
  place: ReadPlace,
  { areas }: PlaceDocuments,
  kinds: readonly string[],
): VariantPlace {
  const { centre, isCircle, popularity, radiusKm } = place
  if (isCircle === true) return { bonus: bonus.closeness, areas, centre, radiusKm }
  // Airports are in a town nearby, but have the name of the city that they belong to.
  const isNamedAfter = kinds.includes('airport') ? nameTest(segment, place) : undefined
  return { bonus: bonus.areaPopularity * popularity, areas, centre, ...(isNamedAfter && { isNamedAfter }) }
}

/** Returns a test for documents whose name contains a name of a place: "Dallas/Fort Worth International Airport". */
function nameTest({ arrays: { texts, textStart }, terms }: Segment, { names }: ReadPlace): (doc: number) => boolean {
  const wanted = names.map(words => words.map(word => terms.find(word)))
  return doc => {
    let found = false
    eachText(texts, textStart[doc]!, textStart[doc + 1]!, (kind, from, to) => {
      const text = texts.subarray(from, to)
      found ||= isNameKind(kind) && wanted.some(name => name.length > 0 && name.every(term => text.includes(term)))
    })
    return found
  }
}
