import type { Point } from '../../domain/search.ts'

const radians = Math.PI / 180

/** Vector of three numbers; a point of the Earth's surface has the length 1. */
export type Vector = readonly [x: number, y: number, z: number]

/** Returns the vector of a point in degrees. */
export function toVector(latitude: number, longitude: number): Vector {
  const cosine = Math.cos(latitude * radians)
  return [cosine * Math.cos(longitude * radians), cosine * Math.sin(longitude * radians), Math.sin(latitude * radians)]
}

/** Returns the point of a vector of any length but 0. */
export const toPoint = ([x, y, z]: Vector): Point => ({
  latitude: Math.atan2(z, Math.hypot(x, y)) / radians,
  longitude: Math.atan2(y, x) / radians,
})

export const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]

export const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]

export const add = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]]

export const subtract = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]]

export const scale = (a: Vector, by: number): Vector => [a[0] * by, a[1] * by, a[2] * by]

export const lengthOf = (a: Vector): number => Math.sqrt(dot(a, a))

/** Returns the square of the distance of two vectors: of the chord between two points. */
export function squaredChord(a: Vector, b: Vector): number {
  const [x, y, z] = [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
  return x * x + y * y + z * z
}

/** Returns the angle, in radians, of a chord given by its square. */
export const angleOfChord = (squared: number): number => 2 * Math.asin(Math.min(1, Math.sqrt(squared) / 2))

/** Returns the square of the chord of an angle of up to a half turn, in radians. */
export const chordOfAngle = (angle: number): number => 4 * Math.sin(Math.min(Math.PI, angle) / 2) ** 2
