/** Closed line of at least four positions; the last one repeats the first. Its edges are straight in degrees. */
export type Ring = readonly { readonly latitude: number; readonly longitude: number }[]

/** Outer ring, followed by its holes. */
export type Polygon = readonly Ring[]

/** Maximum number of positions of all polygons of a query. */
export const maxPolygonPositions = 500

/**
 * Returns for each position of a ring the number of turns (360 degrees) to add to its longitude, so that no edge jumps:
 * an edge that spans more than 180 degrees goes the other way, across the antimeridian. An edge from one side of the
 * antimeridian to the other (360 degrees) stays as it is, as part of the whole world.
 */
export function countTurns(ring: Ring): number[] {
  const turns = [0]
  for (let i = 1; i < ring.length; i++) {
    const step = ring[i]!.longitude - ring[i - 1]!.longitude
    const isJump = Math.abs(step) > 180 && Math.abs(step) < 360
    turns.push(turns[i - 1]! - (isJump ? Math.sign(step) : 0))
  }
  return turns
}
