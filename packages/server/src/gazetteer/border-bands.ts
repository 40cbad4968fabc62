import { type BorderLines, unitsPerDegree } from './border-file.ts'

/** Height of a band and of a cell, a quarter of a degree, in units of the borders. */
export const cellUnits = unitsPerDegree / 4

/** Returns the band of a latitude, or the column of cells of a longitude, counted from the south pole or -180°. */
export const bandOf = (y: number): number => Math.floor((y + 90 * unitsPerDegree) / cellUnits)
export const columnOf = (x: number): number => Math.floor((x + 180 * unitsPerDegree) / cellUnits)

/**
 * Edges of the borders of each region by bands of latitude, so that a test of a point compares only the edges at its
 * latitude. An edge is the position of its first point.
 */
export class BorderBands {
  readonly lines: BorderLines
  /** First band of each region. */
  readonly #first: Int16Array
  /** Length regions + 1: start of each region's bands in `#start`. */
  readonly #bands: Uint32Array
  readonly #start: Uint32Array
  readonly #edges: Uint32Array

  constructor(lines: BorderLines) {
    this.lines = lines
    const regions = lines.codes.length
    this.#first = new Int16Array(regions)
    this.#bands = new Uint32Array(regions + 1)
    for (let region = 0; region < regions; region++) {
      let [lowest, highest] = [Infinity, -Infinity]
      this.#eachEdge(region, (_, low, high) => {
        lowest = Math.min(lowest, low)
        highest = Math.max(highest, high)
      })
      this.#first[region] = lowest === Infinity ? 0 : lowest
      this.#bands[region + 1] = this.#bands[region]! + Math.max(0, highest - lowest + 1)
    }
    const counts = new Uint32Array(this.#bands[regions]! + 1)
    this.#eachBandOfEdges((_, slot) => counts[slot + 1]!++)
    for (let i = 1; i < counts.length; i++) counts[i]! += counts[i - 1]!
    this.#edges = new Uint32Array(counts.at(-1)!)
    const next = counts.slice()
    this.#eachBandOfEdges((edge, slot) => {
      this.#edges[next[slot]!++] = edge
    })
    this.#start = counts
  }

  /** Visits the edges of a region with their lowest and highest band. */
  #eachEdge(region: number, visit: (edge: number, low: number, high: number) => void): void {
    const { ys, lineStart, linesOf } = this.lines
    for (const line of linesOf[region]!) {
      for (let edge = lineStart[line]!; edge + 1 < lineStart[line + 1]!; edge++) {
        const [a, b] = [bandOf(ys[edge]!), bandOf(ys[edge + 1]!)]
        visit(edge, Math.min(a, b), Math.max(a, b))
      }
    }
  }

  /** Visits each edge once for each of its bands, with the number of the region's band in `#start`. */
  #eachBandOfEdges(visit: (edge: number, slot: number) => void): void {
    for (let region = 0; region < this.#first.length; region++) {
      const offset = this.#bands[region]! - this.#first[region]!
      this.#eachEdge(region, (edge, low, high) => {
        for (let band = low; band <= high; band++) visit(edge, offset + band)
      })
    }
  }

  /** Visits the edges of a region in a band. */
  eachEdgeIn(region: number, band: number, visit: (edge: number) => void): void {
    const slot = this.#slotOf(region, band)
    if (slot < 0) return
    for (let at = this.#start[slot]!; at < this.#start[slot + 1]!; at++) visit(this.#edges[at]!)
  }

  #slotOf(region: number, band: number): number {
    const slot = this.#bands[region]! + band - this.#first[region]!
    return band < this.#first[region]! || slot >= this.#bands[region + 1]! ? -1 : slot
  }

  /** Visits the bands of a region. */
  eachBand(region: number, visit: (band: number) => void): void {
    const count = this.#bands[region + 1]! - this.#bands[region]!
    for (let i = 0; i < count; i++) visit(this.#first[region]! + i)
  }

  /** Returns the longitudes at which the border of a region crosses a latitude, ascending. */
  crossings(region: number, y: number): number[] {
    const { xs, ys } = this.lines
    const found: number[] = []
    this.eachEdgeIn(region, bandOf(y), edge => {
      const [y1, y2] = [ys[edge]!, ys[edge + 1]!]
      if (y1 > y === y2 > y) return
      found.push(xs[edge]! + ((y - y1) / (y2 - y1)) * (xs[edge + 1]! - xs[edge]!))
    })
    return found.sort((a, b) => a - b)
  }

  /** Returns true if a region contains a point: its border crosses the latitude an odd number of times to the east. */
  contains(region: number, x: number, y: number): boolean {
    const { xs, ys } = this.lines
    const slot = this.#slotOf(region, bandOf(y))
    if (slot < 0) return false
    let inside = false
    const end = this.#start[slot + 1]!
    for (let at = this.#start[slot]!; at < end; at++) {
      const edge = this.#edges[at]!
      const [y1, y2] = [ys[edge]!, ys[edge + 1]!]
      if (y1 > y === y2 > y) continue
      if (x < xs[edge]! + ((y - y1) / (y2 - y1)) * (xs[edge + 1]! - xs[edge]!)) inside = !inside
    }
    return inside
  }
}
