import { centerOfMass } from '@turf/center-of-mass'

/** Longitude and latitude in degrees, in the order of GeoJSON. */
export type Position = readonly [lon: number, lat: number]

/**
 * Returns a point that represents a GeoJSON geometry: a point itself, the centroid of an area (weighted by the areas
 * of its parts, without holes), or the middle of a line. Returns undefined for other geometries and for other values.
 */
export function toPoint(geometry: unknown): Position | undefined {
  if (typeof geometry !== 'object' || geometry === null) return undefined
  const { type, coordinates } = geometry as { type?: unknown; coordinates?: unknown }
  try {
    if (type === 'Point') return parsePosition(coordinates)
    if (type === 'MultiPoint' && (coordinates as unknown[]).length === 1)
      return parsePosition((coordinates as unknown[])[0])
    if (type === 'LineString') return findMiddle(parsePositions(coordinates))
    if (type === 'Polygon') return computeCentroid([(coordinates as unknown[]).map(parsePositions)])
    if (type === 'MultiPolygon')
      return computeCentroid((coordinates as unknown[][]).map(rings => rings.map(parsePositions)))
  } catch (error) {
    if (!(error instanceof MalformedGeometry || error instanceof TypeError)) throw error
  }
  return undefined
}

class MalformedGeometry extends Error {}

/** Parses a position, whose numbers may be strings. Drops the altitude. */
function parsePosition(value: unknown): Position {
  if (!Array.isArray(value) || value.length < 2) throw new MalformedGeometry()
  return [parseDegrees(value[0]), parseDegrees(value[1])]
}

function parseDegrees(value: unknown): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number !== 'number' || !Number.isFinite(number)) throw new MalformedGeometry()
  return number
}

function parsePositions(value: unknown): Position[] {
  if (!Array.isArray(value) || value.length === 0) throw new MalformedGeometry()
  return value.map(parsePosition)
}

type Ring = readonly Position[]

function computeCentroid(polygons: readonly (readonly Ring[])[]): Position {
  // RFC 7946 §3.1.9 cuts areas at the antimeridian: shift the western part so that the parts are adjacent.
  const lons = polygons.flat(2).map(([lon]) => lon)
  const isCut = lons.reduce((a, b) => Math.max(a, b)) - lons.reduce((a, b) => Math.min(a, b)) > 180
  const shift = (ring: Ring): Ring => (isCut ? ring.map(([lon, lat]) => [lon < 0 ? lon + 360 : lon, lat]) : ring)
  const parts = polygons.flatMap(([outer, ...holes]) => [
    { ring: shift(outer!), sign: 1 },
    ...holes.map(hole => ({ ring: shift(hole), sign: -1 })),
  ])
  let [sumLon, sumLat, sum] = [0, 0, 0]
  for (const { ring, sign } of parts) {
    const weight = sign * computeArea(ring)
    const [lon, lat] = centre(ring)
    sumLon += lon * weight
    sumLat += lat * weight
    sum += weight
  }
  const [lon, lat] = sum > 0 ? [sumLon / sum, sumLat / sum] : centre(parts[0]!.ring)
  return [lon > 180 ? lon - 360 : lon, lat]
}

const centre = (ring: Ring): Position =>
  centerOfMass({ type: 'Polygon', coordinates: [ring.map(one => [...one])] }).geometry.coordinates as [number, number]

/** Returns the area of a ring in square degrees, which is precise enough to weight the parts of one geometry. */
function computeArea(ring: Ring): number {
  const [lon0, lat0] = ring[0]!
  let twice = 0
  for (let i = 1; i < ring.length; i++) {
    const [[lonA, latA], [lonB, latB]] = [ring[i - 1]!, ring[i]!]
    twice += (lonA - lon0) * (latB - lat0) - (lonB - lon0) * (latA - lat0)
  }
  return Math.abs(twice) / 2
}

/** Returns the point halfway along a line. */
function findMiddle(line: readonly Position[]): Position {
  const lonScale = Math.cos((line[0]![1] * Math.PI) / 180)
  const lengths = line.slice(1).map(([lon, lat], i) => Math.hypot((lon - line[i]![0]) * lonScale, lat - line[i]![1]))
  let left = lengths.reduce((a, b) => a + b, 0) / 2
  for (const [i, length] of lengths.entries()) {
    if (left > length) {
      left -= length
      continue
    }
    const share = length === 0 ? 0 : left / length
    const [from, to] = [line[i]!, line[i + 1]!]
    return [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share]
  }
  return line.at(-1)!
}
