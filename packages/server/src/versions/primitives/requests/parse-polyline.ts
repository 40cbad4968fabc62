import type { Point } from '../../../domain/search.ts'

/** Maximum number of positions of a route. */
const maxRoutePositions = 2000

/** Bits of a number in one character, and the bit that says that more characters follow. */
const bitsPerCharacter = 5
const moreFollows = 0x20
/** Largest number of characters of one number: 35 bits contain 180 degrees in units of 1e-7. */
const maxCharacters = 7

/**
 * Decodes an encoded polyline (Google's algorithm: differences of latitude and longitude in turn). Returns the rest of
 * a sentence that begins with the name of the parameter if the text is not the line of a route.
 */
export function parsePolyline(text: string, precision: number): readonly Point[] | string {
  const numbers = decodeNumbers(text)
  if (typeof numbers === 'string') return numbers
  if (numbers.length % 2 === 1) return 'ends after a latitude; the longitude is missing'
  const positions = numbers.length / 2
  if (positions < 2) return `has ${positions === 1 ? 'one position' : 'no position'}; a route has at least two`
  if (positions > maxRoutePositions)
    return `has ${positions} positions; at most ${maxRoutePositions} are allowed: simplify the line`
  const points: Point[] = []
  let [latitude, longitude] = [0, 0]
  for (let i = 0; i < numbers.length; i += 2) {
    latitude += numbers[i]!
    longitude += numbers[i + 1]!
    points.push({ latitude: latitude / 10 ** precision, longitude: longitude / 10 ** precision })
  }
  return describeOutOfRange(points, precision) ?? describeOpposite(points) ?? points
}

/** Decodes signed numbers in groups of five bits, the lowest first. */
function decodeNumbers(text: string): number[] | string {
  const numbers: number[] = []
  let [value, characters] = [0, 0]
  for (let i = 0; i < text.length; i++) {
    const bits = text.charCodeAt(i) - 63
    if (bits < 0 || bits > 63) {
      const character = String.fromCodePoint(text.codePointAt(i)!)
      return `contains ${JSON.stringify(character)}, which is not part of an encoded polyline`
    }
    // Multiplication, because shifts end at 32 bits.
    value += (bits & (moreFollows - 1)) * 2 ** (bitsPerCharacter * characters++)
    if (characters > maxCharacters)
      return `has a number of more than ${maxCharacters} characters, which no position has`
    if ((bits & moreFollows) !== 0) continue
    // Odd values are negative numbers with inverted bits.
    numbers.push(value % 2 === 1 ? -(value + 1) / 2 : value / 2)
    ;[value, characters] = [0, 0]
  }
  return characters === 0 ? numbers : 'ends in the middle of a number; send all of the text, percent-encoded'
}

const isInRange = ({ latitude, longitude }: Point): boolean => Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180

function describeOutOfRange(points: readonly Point[], precision: number): string | undefined {
  const at = points.findIndex(point => !isInRange(point))
  if (at < 0) return undefined
  const { latitude, longitude } = points[at]!
  const finer = points.map(point => ({ latitude: point.latitude / 10, longitude: point.longitude / 10 }))
  const hint =
    precision === 5 && finer.every(isInRange) ? '; if it is encoded with precision 6, send route_precision=6' : ''
  const where = `position ${at + 1} (latitude ${latitude}, longitude ${longitude})`
  return `leaves the Earth at ${where}: latitudes are from -90 to 90 and longitudes from -180 to 180${hint}`
}

/** Describes consecutive positions on opposite sides of the Earth, between which there is no shortest line. */
function describeOpposite(points: readonly Point[]): string | undefined {
  const at = points.findIndex((point, i) => i > 0 && areOpposite(points[i - 1]!, point))
  return at < 0 ? undefined : `goes from position ${at} to the opposite side of the Earth; add a position in between`
}

const areOpposite = (a: Point, b: Point): boolean =>
  Math.abs(a.latitude + b.latitude) < 1e-4 &&
  (Math.abs(Math.abs(a.longitude - b.longitude) - 180) < 1e-4 || Math.abs(a.latitude) > 90 - 1e-4)
