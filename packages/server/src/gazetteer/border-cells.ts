import { Growable } from '../kit/growable.ts'
import { type BorderBands, bandOf, cellUnits, columnOf } from './border-bands.ts'
import { unitsPerDegree } from './border-file.ts'

const columns = (360 * unitsPerDegree) / cellUnits
const rows = (180 * unitsPerDegree) / cellUnits
/** Marks a cell with a border; the rest of its value is the number of its list of regions. */
const mixed = 0x80000000

/** Regions by cells of a quarter of a degree: most points are in a cell without a border, whose region is known. */
export class BorderCells {
  /** 0 without a region, the region + 1 without a border, else `mixed` and the last entry of the list of its regions. */
  readonly #cells = new Uint32Array(columns * rows)
  /** Regions of cells with a border, as linked lists: each entry has a region, and the value of the cell before it. */
  readonly #regions = new Growable(Uint16Array, 1 << 17)
  readonly #before = new Growable(Uint32Array, 1 << 17)

  constructor(bands: BorderBands) {
    eachCellWithBorder(bands, (cell, region) => this.#add(cell, region))
    for (let region = 0; region < bands.lines.codes.length; region++) {
      bands.eachBand(region, band => this.#fill(bands, region, band))
    }
  }

  /** Adds a region to the list of a cell; the cells of a region are visited before those of the next one. */
  #add(cell: number, region: number): void {
    const before = this.#cells[cell]!
    if (before >= mixed && this.#regions.view()[before - mixed] === region) return
    this.#cells[cell] = mixed + this.#regions.length
    this.#regions.push(region)
    this.#before.push(before)
  }

  /** Fills the cells of a band that are inside a region. */
  #fill(bands: BorderBands, region: number, band: number): void {
    const middle = (band + 0.5) * cellUnits - 90 * unitsPerDegree + 0.5
    const found = bands.crossings(region, middle)
    for (let i = 0; i + 1 < found.length; i += 2) {
      const last = Math.min(columns - 1, columnOf(found[i + 1]!))
      for (let column = columnOf(found[i]!); column <= last; column++) {
        const cell = band * columns + column
        if (this.#cells[cell] === 0) this.#cells[cell] = region + 1
      }
    }
  }

  /** Returns the only region of the cell of a point; -1 if it has no region, -2 if it has a border. */
  regionOf(x: number, y: number): number {
    const cell = this.#cells[cellOf(columnOf(x), bandOf(y))]!
    return cell >= mixed ? -2 : cell - 1
  }

  /** Visits the regions of a cell; `visit` returns true to end. */
  someRegion(column: number, band: number, visit: (region: number) => boolean): boolean {
    const [regions, before] = [this.#regions.view(), this.#before.view()]
    let cell = this.#cells[cellOf(column, band)]!
    if (cell < mixed) return cell > 0 && visit(cell - 1)
    for (; cell >= mixed; cell = before[cell - mixed]!) if (visit(regions[cell - mixed]!)) return true
    return false
  }
}

/** Returns a cell; columns continue beyond the antimeridian, and the poles belong to the first and last band. */
const cellOf = (column: number, band: number): number =>
  Math.min(rows - 1, Math.max(0, band)) * columns + ((column + columns) % columns)

/** Visits the cells that the borders of each region touch, some of them repeatedly. */
function eachCellWithBorder(bands: BorderBands, visit: (cell: number, region: number) => void): void {
  const { xs, ys, lineStart, linesOf } = bands.lines
  for (const [region, lines] of linesOf.entries()) {
    for (const line of lines) {
      for (let edge = lineStart[line]!; edge + 1 < lineStart[line + 1]!; edge++) {
        eachCellOf(xs[edge]!, ys[edge]!, xs[edge + 1]!, ys[edge + 1]!, cell => visit(cell, region))
      }
    }
  }
}

/** Visits the cells that an edge touches. */
function eachCellOf(x1: number, y1: number, x2: number, y2: number, visit: (cell: number) => void): void {
  const [west, atWest, east, atEast] = x1 <= x2 ? [x1, y1, x2, y2] : [x2, y2, x1, y1]
  const slope = east === west ? 0 : (atEast - atWest) / (east - west)
  for (let column = columnOf(west); column <= columnOf(east); column++) {
    const from = Math.max(west, column * cellUnits - 180 * unitsPerDegree)
    const to = Math.min(east, (column + 1) * cellUnits - 180 * unitsPerDegree)
    const [a, b] = east === west ? [atWest, atEast] : [atWest + (from - west) * slope, atWest + (to - west) * slope]
    for (let band = bandOf(Math.min(a, b)); band <= bandOf(Math.max(a, b)); band++) visit(cellOf(column, band))
  }
}
