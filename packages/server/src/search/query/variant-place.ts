import type { Point } from '../../domain/search.ts'
import type { PlaceDocuments } from './understand/place-documents.ts'
import type { ReadPlace } from './understand/read-place.ts'
import { bonus } from './weights.ts'

/** Place of a reading. */
export interface VariantPlace {
  readonly bonus: number
  /** Areas of the place; other documents in its circle get a part of the bonus. */
  readonly areas: ReadonlySet<number>
  readonly centre: Point | undefined
  /** Radius of the circle around a landmark, in which closeness counts; undefined for other places. */
  readonly radiusKm?: number
}

/** Returns what the place of a reading adds to the score of documents. */
export const variantPlace = (
  { centre, isCircle, popularity, radiusKm }: ReadPlace,
  { areas }: PlaceDocuments,
): VariantPlace =>
  isCircle === true
    ? { bonus: bonus.closeness, areas, centre, radiusKm }
    : { bonus: bonus.areaPopularity * popularity, areas, centre }
