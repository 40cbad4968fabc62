import type { Point } from '../../domain/search.ts'
import type { Segment } from '../index/segment.ts'
import type { PlaceDocuments } from './understand/place-documents.ts'
import type { Reading } from './understand/reading.ts'
import { namesInTransport, type TransportNames, transportNames } from './understand/transport-names.ts'
import { bonus } from './weights.ts'

/** Place of a reading. */
export interface VariantPlace {
  readonly bonus: number
  /** Upper bound of the bonus, with that for the name of an airport or station. */
  readonly maxBonus: number
  /** Areas of the place; other documents in its circle get a part of the bonus. */
  readonly areas: ReadonlySet<number>
  readonly centre: Point | undefined
  /** Compares the names of an airport or station with those of the place, so that the main one comes first. */
  readonly transportNamesOf: ((doc: number) => TransportNames) | undefined
  /** Radius of the circle around a landmark, in which closeness counts; undefined for other places. */
  readonly radiusKm: number | undefined
}

/** Kinds of transport; the main one of a place comes first. */
const transport = ['airport', 'railway_station']

/** Returns what the place of a reading adds to the score of the documents of a part; undefined without a place. */
export function variantPlace(
  segment: Segment,
  { place, placeWords = [], kinds }: Reading,
  { areas }: PlaceDocuments,
): VariantPlace | undefined {
  if (place === undefined) return undefined
  const { centre, isCircle, popularity, radiusKm } = place
  const ofPlace = isCircle === true ? bonus.closeness : bonus.areaPopularity * popularity
  const isTransport = isCircle !== true && kinds.some(kind => transport.includes(kind))
  return {
    bonus: ofPlace,
    maxBonus: isTransport ? ofPlace + 3 * bonus.transportName : ofPlace,
    areas,
    centre,
    transportNamesOf: isTransport ? transportNames(segment, namesInTransport(placeWords, place)) : undefined,
    radiusKm: isCircle === true ? radiusKm : undefined,
  }
}
