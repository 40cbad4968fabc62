import KDBush from 'kdbush'
import type { Box } from '../domain/search.ts'

/** Coordinates are kept in units of 1e-7 degrees (about a centimetre), which fit 32 bits. */
export const unitsPerDegree = 1e7

export const toUnits = (degrees: number): number => Math.round(degrees * unitsPerDegree)

/** A static k-d tree over all documents of a segment, in memory that workers share. */
export function buildPoints(latitudes: Int32Array, longitudes: Int32Array): Uint8Array {
  const tree = new KDBush(latitudes.length, 64, Int32Array, SharedArrayBuffer)
  for (let doc = 0; doc < latitudes.length; doc++) tree.add(longitudes[doc]!, latitudes[doc]!)
  if (latitudes.length > 0) tree.finish()
  return new Uint8Array(tree.data)
}

/** What `buildPoints` made, ready to be asked. */
export class Points {
  readonly #tree: KDBush | undefined

  constructor(data: Uint8Array) {
    this.#tree = data.length > 8 ? KDBush.from(data.buffer) : undefined
  }

  /** Documents within a box, edges included, each once, in no order. 180° and -180° are one meridian. */
  within(box: Box): number[] {
    const tree = this.#tree
    if (tree === undefined) return []
    const south = Math.ceil(box.south * unitsPerDegree - 1e-3)
    const north = Math.floor(box.north * unitsPerDegree + 1e-3)
    const found: number[] = []
    for (const [west, east] of longitudeRanges(box)) {
      const part = tree.range(
        Math.ceil(west * unitsPerDegree - 1e-3),
        south,
        Math.floor(east * unitsPerDegree + 1e-3),
        north,
      )
      for (const doc of part) found.push(doc)
    }
    return found
  }
}

/** Disjoint ranges without a jump at the antimeridian. */
function longitudeRanges({ west, east }: Box): [number, number][] {
  const ranges: [number, number][] =
    west <= east
      ? [[west, east]]
      : [
          [west, 180],
          [-180, east],
        ]
  const touches = (meridian: number) => ranges.some(([from, to]) => from <= meridian && meridian <= to)
  const [plus, minus] = [touches(180), touches(-180)]
  if (plus && !minus) ranges.push([-180, -180])
  if (minus && !plus) ranges.push([180, 180])
  return ranges
}
