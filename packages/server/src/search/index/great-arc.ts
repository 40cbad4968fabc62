import { add, cross, dot, lengthOf, scale, squaredChord, subtract, type Vector } from './vectors.ts'

/** The shortest line between two points on the sphere. */
export interface GreatArc {
  readonly from: Vector
  readonly to: Vector
  /** Unit vector at right angles to the plane of the arc; undefined if both points are the same. */
  readonly normal: Vector | undefined
  /** Unit vectors at right angles to the normal; a foot within the arc is on their positive sides. */
  readonly ahead: Vector
  readonly behind: Vector
}

/** Creates the arc between two points that are not on opposite sides of the Earth. */
export function createGreatArc(from: Vector, to: Vector): GreatArc {
  // The cross product of difference and sum is twice that of the points, and exact for points that are close.
  const product = cross(subtract(from, to), add(from, to))
  const length = lengthOf(product)
  const normal = length === 0 ? undefined : scale(product, 1 / length)
  return { from, to, normal, ahead: cross(normal ?? from, from), behind: cross(to, normal ?? to) }
}

/** Returns the square of the chord between a point and the nearest point of an arc. */
export function squaredChordTo({ from, to, normal, ahead, behind }: GreatArc, point: Vector): number {
  if (normal !== undefined && dot(ahead, point) >= 0 && dot(behind, point) >= 0) {
    const sine = dot(normal, point)
    return (2 * sine * sine) / (1 + Math.sqrt(Math.max(0, 1 - sine * sine)))
  }
  return Math.min(squaredChord(from, point), squaredChord(to, point))
}

/** Returns the point of an arc that is nearest to a point; its length may be less than 1. */
export function footOf({ from, to, normal, ahead, behind }: GreatArc, point: Vector): Vector {
  if (normal !== undefined && dot(ahead, point) >= 0 && dot(behind, point) >= 0) {
    return subtract(point, scale(normal, dot(normal, point)))
  }
  return squaredChord(from, point) <= squaredChord(to, point) ? from : to
}
