import { type BorderLines, unitsPerDegree } from '../../src/gazetteer/border-file.ts'

/** A state or province of Natural Earth. */
export interface Feature {
  readonly properties: Readonly<Record<string, string | number | undefined>> & { readonly iso_3166_2: string }
  readonly geometry: object
}
export interface Features {
  readonly features: readonly Feature[]
}

type Arcs = readonly (number | Arcs)[]
interface Topology {
  readonly objects: { readonly regions: { readonly geometries: readonly { readonly arcs?: Arcs }[] } }
  readonly arcs: readonly (readonly (readonly [number, number])[])[]
}

/** Share of the points that remain. */
const keptShare = 0.15

/** Simplifies the borders of all regions; neighbours keep one border (Visvalingam and Whyatt 1993). */
export function simplifiedLines({ features }: Features, load: NodeJS.Require): BorderLines {
  const { topology } = load('topojson-server') as { topology: (objects: object, precision: number) => Topology }
  const { presimplify, simplify, quantile, sphericalTriangleArea } = load('topojson-simplify') as {
    presimplify: (topology: Topology, weight: unknown) => Topology
    simplify: (topology: Topology, minWeight: number) => Topology
    quantile: (topology: Topology, share: number) => number
    sphericalTriangleArea: unknown
  }
  const weighted = presimplify(
    topology({ regions: { type: 'FeatureCollection', features } }, 1e6),
    sphericalTriangleArea,
  )
  const { arcs, objects } = simplify(weighted, quantile(weighted, keptShare))
  const byCode = new Map<string, Set<number>>()
  for (const [i, { arcs: own = [] }] of objects.regions.geometries.entries()) {
    const code = codeOf(features[i]!)
    const lines = byCode.get(code) ?? new Set<number>()
    byCode.set(code, lines)
    for (const arc of own.flat(3) as number[]) {
      const line = arc < 0 ? ~arc : arc
      // A line between two shapes of one region is no border.
      if (!lines.delete(line)) lines.add(line)
    }
  }
  return linesOf(arcs, byCode)
}

/**
 * Returns the ISO 3166-2 code of a feature, or the one that Natural Earth assigns, which it marks with a tilde, in the
 * country that it belongs to.
 */
export function codeOf({ properties: { iso_3166_2, iso_a2 } }: Feature): string {
  const code = iso_3166_2.replaceAll('~', '')
  return /^[A-Z]{2}-/.test(code) ? code : `${iso_a2}-${code.replace('-99-', '')}`
}

/** Rounds the points of lines and removes points and lines that coincide. */
function linesOf(arcs: Topology['arcs'], byCode: ReadonlyMap<string, ReadonlySet<number>>): BorderLines {
  const [xs, ys, lineStart]: [number[], number[], number[]] = [[], [], [0]]
  const numbers = arcs.map(points => {
    const from = xs.length
    for (const point of points) {
      const [x, y] = [Math.round(point[0] * unitsPerDegree), Math.round(point[1] * unitsPerDegree)]
      if (xs.length > from && xs.at(-1) === x && ys.at(-1) === y) continue
      xs.push(x)
      ys.push(y)
    }
    if (xs.length < from + 2) {
      xs.length = ys.length = from
      return -1
    }
    lineStart.push(xs.length)
    return lineStart.length - 2
  })
  const codes = [...byCode.keys()].sort()
  return {
    codes,
    xs: Int32Array.from(xs),
    ys: Int32Array.from(ys),
    lineStart: Uint32Array.from(lineStart),
    linesOf: codes.map(code => [...byCode.get(code)!].map(arc => numbers[arc]!).filter(line => line >= 0)),
  }
}
