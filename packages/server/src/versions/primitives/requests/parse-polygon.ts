import { countTurns, maxPolygonPositions, type Polygon, type Ring } from '../../../domain/polygon.ts'
import type { Point } from '../../../domain/search.ts'

/** Ends the reading of a polygon; the message is the rest of a sentence that begins with the name of the parameter. */
class NoPolygon extends Error {}

/**
 * Parses the text of a GeoJSON Polygon or MultiPolygon (RFC 7946) to polygons. For other text, returns the rest of a
 * sentence that begins with the name of the parameter.
 */
export function parsePolygon(text: string): readonly Polygon[] | string {
  try {
    const polygons = readGeometry(parseJson(text))
    const positions = polygons.flat().reduce((sum, ring) => sum + ring.length, 0)
    if (positions > maxPolygonPositions)
      return `has ${positions} positions; at most ${maxPolygonPositions} are allowed: simplify the polygon`
    return polygons
  } catch (error) {
    if (error instanceof NoPolygon) return error.message
    throw error
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new NoPolygon('must be a GeoJSON Polygon or MultiPolygon; the text is not JSON')
  }
}

function readGeometry(geometry: unknown): readonly Polygon[] {
  if (typeof geometry !== 'object' || geometry === null || Array.isArray(geometry) || !('type' in geometry))
    throw new NoPolygon('must be a GeoJSON Polygon or MultiPolygon: an object with type and coordinates')
  const { type, coordinates } = geometry as { readonly type: unknown; readonly coordinates?: unknown }
  if (type === 'Polygon') return [readPolygon(coordinates, '')]
  if (type === 'MultiPolygon') {
    const polygons = readList(coordinates, 'coordinates of a MultiPolygon must be a list of polygons')
    if (polygons.length === 0) throw new NoPolygon('has no polygon in its coordinates')
    return polygons.map((polygon, i) => readPolygon(polygon, ` of polygon ${i + 1}`))
  }
  if (type === 'Feature' || type === 'FeatureCollection')
    throw new NoPolygon(`is a GeoJSON ${type}; send the geometry alone, a Polygon or MultiPolygon`)
  throw new NoPolygon(`must be a GeoJSON Polygon or MultiPolygon, not ${JSON.stringify(type).slice(0, 40)}`)
}

function readList(value: unknown, message: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new NoPolygon(`is not valid: ${message}`)
  return value
}

/** Reads a polygon; `of` names it among several. */
function readPolygon(value: unknown, of: string): Polygon {
  const rings = readList(value, `the coordinates${of} must be a list of rings`)
  if (rings.length === 0) throw new NoPolygon(`has no ring in the coordinates${of}`)
  return rings.map((ring, i) => readRing(ring, `ring ${i + 1}${of}`))
}

function readRing(value: unknown, name: string): Ring {
  const positions = readList(value, `${name} must be a list of positions`)
  const ring = positions.map((position, i) => readPosition(position, `position ${i + 1} of ${name}`))
  if (ring.length < 4)
    throw new NoPolygon(
      `has ${ring.length} positions in ${name}; a ring has at least four, and its last position repeats the first`,
    )
  const [first, last] = [ring[0]!, ring.at(-1)!]
  if (first.latitude !== last.latitude || first.longitude !== last.longitude)
    throw new NoPolygon(`is not closed: repeat the first position of ${name} at its end`)
  const turns = countTurns(ring)
  if (turns.at(-1) !== 0)
    throw new NoPolygon(`is not valid: ${name} goes around a pole; cut it along a meridian into rings that do not`)
  const longitudes = ring.map(({ longitude }, i) => longitude + turns[i]! * 360)
  if (Math.max(...longitudes) - Math.min(...longitudes) > 360)
    throw new NoPolygon(`is not valid: ${name} spans more than 360 degrees of longitude`)
  return ring
}

function readPosition(value: unknown, name: string): Point {
  const message = `${name} must be [longitude, latitude], two numbers`
  const [longitude, latitude] = readList(value, message)
  if (!isNumber(longitude) || !isNumber(latitude)) throw new NoPolygon(`is not valid: ${message}`)
  if (Math.abs(latitude) > 90) {
    const hint =
      Math.abs(longitude) <= 90 && Math.abs(latitude) <= 180 ? '. GeoJSON has the longitude first: swap them' : ''
    throw new NoPolygon(`has the latitude ${latitude} in ${name}; latitudes are from -90 to 90${hint}`)
  }
  if (Math.abs(longitude) > 180)
    throw new NoPolygon(
      `has the longitude ${longitude} in ${name}; longitudes are from -180 to 180, also across the antimeridian`,
    )
  return { latitude, longitude }
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
