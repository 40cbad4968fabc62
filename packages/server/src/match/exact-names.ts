import type { PossibleDuplicates } from '../domain/duplicates.ts'
import type { Id } from '../domain/id.ts'
import type { Location } from '../domain/location.ts'
import type { PlaceClass } from '../domain/place-class.ts'
import { Growable } from '../kit/growable.ts'
import { hashText } from '../kit/hash-text.ts'
import { classOf, distanceScale } from './classes.ts'
import { metersBetween } from './distance.ts'
import type { Words } from './record.ts'

/** Distance within which places of one name may be one, in metres: of settlements, stations and others. */
const maxMeters = { 20: 25_000, 5: 1000, 1: 300 }

/** Names that more places have are not compared. */
const maxNamesakes = 1000

const maxExamples = 3

const unitsPerDegree = 1e7

/** Counts the places of several sources that have one name and are close, from 40 bytes a place. */
export class ExactNames {
  readonly #words: Words
  readonly #sources = new Map<string, number>()
  readonly #classes = new Map<PlaceClass, number>()
  readonly #name = new Growable(Float64Array)
  readonly #id = new Growable(BigUint64Array)
  readonly #source = new Growable(Uint16Array)
  readonly #class = new Growable(Uint8Array)
  readonly #latitude = new Growable(Int32Array)
  readonly #longitude = new Growable(Int32Array)

  constructor(words: Words) {
    this.#words = words
  }

  add(id: Id, source: string, { names, categories, coordinates }: Location): void {
    const [category] = categories
    const words = this.#words((names.find(({ primary }) => primary) ?? names[0]!).value)
    if (category === undefined || words.length === 0) return
    const placeClass = classOf(category)
    this.#name.push(hashText(`${placeClass} ${words.toSorted().join(' ')}`))
    this.#id.push(id)
    this.#source.push(numberOf(this.#sources, source))
    this.#class.push(numberOf(this.#classes, placeClass))
    this.#latitude.push(Math.round(coordinates.latitude * unitsPerDegree))
    this.#longitude.push(Math.round(coordinates.longitude * unitsPerDegree))
  }

  /** Returns the places that may be one, by class and sources, the most first. */
  report(): PossibleDuplicates[] {
    const [names, sources, classes, ids] = [this.#name.view(), this.#source.view(), this.#class.view(), this.#id.view()]
    const areClose = this.#compareDistances()
    const order = Uint32Array.from(names, (_, i) => i).sort((a, b) => names[a]! - names[b]! || a - b)
    const found = new Map<string, { class: number; sources: [number, number]; count: number; examples: [Id, Id][] }>()
    for (let from = 0, to = 0; from < order.length; from = to) {
      while (to < order.length && names[order[to]!] === names[order[from]!]) to++
      if (to - from > maxNamesakes) continue
      for (let i = from; i < to; i++)
        for (let j = i + 1; j < to; j++) {
          const [a, b] = [order[i]!, order[j]!]
          if (sources[a] === sources[b] || !areClose(a, b)) continue
          const [one, other] = [Math.min(sources[a]!, sources[b]!), Math.max(sources[a]!, sources[b]!)]
          const key = `${classes[a]} ${one} ${other}`
          const row = found.get(key) ?? { class: classes[a]!, sources: [one, other], count: 0, examples: [] }
          found.set(key, row)
          row.count++
          if (row.examples.length < maxExamples) row.examples.push([ids[a]!, ids[b]!])
        }
    }
    const [sourceNames, classNames] = [[...this.#sources.keys()], [...this.#classes.keys()]]
    return [...found.values()]
      .toSorted((a, b) => b.count - a.count)
      .map(row => ({
        sources: row.sources.map(source => sourceNames[source]!),
        class: classNames[row.class]!,
        count: row.count,
        examples: row.examples,
      }))
  }

  /** Returns a function that compares the distance of two places of one class with its maximum. */
  #compareDistances(): (a: number, b: number) => boolean {
    const [latitude, longitude, classes] = [this.#latitude.view(), this.#longitude.view(), this.#class.view()]
    const max = [...this.#classes.keys()].map(name => maxMeters[distanceScale(name) as keyof typeof maxMeters])
    const point = (i: number) => ({
      latitude: latitude[i]! / unitsPerDegree,
      longitude: longitude[i]! / unitsPerDegree,
    })
    return (a, b) => metersBetween(point(a), point(b)) <= max[classes[a]!]!
  }
}

function numberOf<T>(numbers: Map<T, number>, value: T): number {
  const number = numbers.get(value) ?? numbers.size
  numbers.set(value, number)
  return number
}
