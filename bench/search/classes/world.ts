import type { Point } from '../../../packages/server/src/domain/search.ts'
import { type Known, kilometres, namesOf } from './known.ts'

/** Cells of the grid in a degree. */
const cellsPerDegree = 4

/** Places that queries are made from, by name and by position. */
export class World {
  readonly places: readonly Known[]
  /** Cities with the largest population first. */
  readonly cities: readonly Known[]
  readonly #cells = new Map<number, Known[]>()
  #byName: Map<string, Known[]> | undefined
  #words: Set<string> | undefined

  constructor(places: readonly Known[]) {
    this.places = places.filter(({ folded }) => folded !== '')
    this.cities = this.places
      .filter(({ category }) => category === 'geo:city')
      .sort((a, b) => b.population - a.population)
    for (const place of this.places) push(this.#cells, cellOf(place), place)
  }

  /** Returns the places that pass a test within a radius, nearest first. */
  near(centre: Point, radiusKm: number, test: (place: Known) => boolean): Known[] {
    const rows = Math.ceil((radiusKm / 111) * cellsPerDegree)
    const columns = Math.ceil(rows / Math.max(0.1, Math.cos((centre.latitude * Math.PI) / 180)))
    const found: [number, Known][] = []
    for (let row = -rows; row <= rows; row++) {
      for (let column = -columns; column <= columns; column++) {
        const latitude = centre.latitude + row / cellsPerDegree
        const longitude = centre.longitude + column / cellsPerDegree
        for (const place of this.#cells.get(cellOf({ latitude, longitude })) ?? []) {
          if (!test(place)) continue
          const distance = kilometres(centre, place)
          if (distance <= radiusKm) found.push([distance, place])
        }
      }
    }
    return found.sort((a, b) => a[0] - b[0]).map(([, place]) => place)
  }

  /** Returns the places with a name, in any language, that equals a normalised text. */
  named(text: string): readonly Known[] {
    if (this.#byName === undefined) {
      this.#byName = new Map()
      for (const place of this.places) for (const name of namesOf(place)) push(this.#byName, name, place)
    }
    return this.#byName.get(text) ?? []
  }

  /** Returns true if a name of any place has a normalised word. */
  hasWord(word: string): boolean {
    if (this.#words === undefined) {
      this.#words = new Set()
      for (const place of this.places)
        for (const name of namesOf(place)) for (const part of name.split(' ')) this.#words.add(part)
    }
    return this.#words.has(word)
  }
}

const cellOf = ({ latitude, longitude }: Point): number =>
  Math.floor((latitude + 90) * cellsPerDegree) * 4000 +
  ((Math.floor((longitude + 180) * cellsPerDegree) + 8000) % (360 * cellsPerDegree))

function push<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}
