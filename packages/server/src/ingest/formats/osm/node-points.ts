import { firstNotBelow } from '../../../kit/first-not-below.ts'
import type { Position } from '../geometry.ts'

/** Maximum number of nodes whose points are kept: 16 bytes each. */
const maxNodePoints = 10_000_000

const unitsPerDegree = 1e7

/** Points of the nodes that outlines need. Ids are added first, then sealed, then points are set. */
export class NodePoints {
  #ids = new Float64Array(1024)
  #count = 0
  #lons = new Int32Array(0)
  #lats = new Int32Array(0)
  /** Position of the last id that was set: nodes of a file are in the order of their ids. */
  #cursor = 0

  /** Adds the ids of an outline; false if there is no space for them. */
  add(ids: readonly number[]): boolean {
    if (this.#count + ids.length > maxNodePoints) return false
    if (this.#count + ids.length > this.#ids.length) {
      const larger = new Float64Array(Math.min(maxNodePoints, 2 * (this.#ids.length + ids.length)))
      larger.set(this.#ids)
      this.#ids = larger
    }
    this.#ids.set(ids, this.#count)
    this.#count += ids.length
    return true
  }

  /** Sorts the ids. */
  seal(): void {
    this.#ids = this.#ids.subarray(0, this.#count).sort()
    this.#lons = new Int32Array(this.#count).fill(unset)
    this.#lats = new Int32Array(this.#count)
  }

  /** Sets the point of a node if an outline needs it. */
  set(id: number, lon: number, lat: number): void {
    const at = this.#find(id)
    // Other numbers would wrap around in the arrays, to a point on the map.
    if (at < 0 || !isOnMap(lon, lat)) return
    this.#lons[at] = Math.round(lon * unitsPerDegree)
    this.#lats[at] = Math.round(lat * unitsPerDegree)
  }

  get(id: number): Position | undefined {
    const at = firstNotBelow(this.#ids, id)
    if (this.#ids[at] !== id || this.#lons[at] === unset) return undefined
    return [this.#lons[at]! / unitsPerDegree, this.#lats[at]! / unitsPerDegree]
  }

  #find(id: number): number {
    const ids = this.#ids
    if (this.#cursor > 0 && ids[this.#cursor - 1]! >= id) this.#cursor = firstNotBelow(ids, id)
    while (this.#cursor < ids.length && ids[this.#cursor]! < id) this.#cursor++
    return ids[this.#cursor] === id ? this.#cursor : -1
  }
}

const isOnMap = (lon: number, lat: number): boolean => Math.abs(lon) <= 180 && Math.abs(lat) <= 90

/** Value of an id without a point; no longitude has it. */
const unset = -(2 ** 31)
