import type {
  DriftCount,
  ImportSurvey,
  SampledPoint,
  SurveyedOutcome,
  SurveyedPlace,
} from '../../domain/import-survey.ts'

/** Maximum number of points of accepted rows, and of rejected rows. */
const maxPoints = 1000
/** Maximum number of countries. */
const maxValues = 250

/** Collects the survey of an import, row by row, in bounded memory. */
export class ImportSurveyor {
  readonly #countries = new Drift()
  readonly #categories = new Drift()
  readonly #accepted = new EvenSample<SampledPoint>(maxPoints)
  readonly #rejected = new EvenSample<SampledPoint>(maxPoints)
  #places = 0

  add({ latitude, longitude, country, category, outcome }: SurveyedPlace): void {
    this.#places++
    if (typeof outcome !== 'string') {
      this.#rejected.add(() => ({ ...toPoint(latitude, longitude), rejected: outcome.rejected }))
      return
    }
    this.#countries.add(country, outcome)
    this.#categories.add(category, outcome)
    this.#accepted.add(() => toPoint(latitude, longitude))
  }

  /** Returns the survey so far; undefined without places. */
  survey(): ImportSurvey | undefined {
    if (this.#places === 0) return undefined
    const drift = { countries: this.#countries.counts(), categories: this.#categories.counts() }
    return { drift, points: [...this.#accepted.items(), ...this.#rejected.items()] }
  }
}

/** Five decimals are about a metre. */
const toPoint = (latitude: number, longitude: number): SampledPoint => ({
  latitude: Number(latitude.toFixed(5)),
  longitude: Number(longitude.toFixed(5)),
})

/** Counts outcomes by value. */
class Drift {
  readonly #counts = new Map<string | undefined, Record<SurveyedOutcome, number>>()

  add(value: string | undefined, outcome: SurveyedOutcome): void {
    let counts = this.#counts.get(value)
    if (!counts) {
      counts = { added: 0, changed: 0, unchanged: 0 }
      this.#counts.set(value, counts)
    }
    counts[outcome]++
  }

  counts(): DriftCount[] {
    const sizeOf = ({ added, changed, unchanged }: DriftCount) => added + changed + unchanged
    return [...this.#counts]
      .map(([value, counts]) => ({ ...(value !== undefined && { value }), ...counts }))
      .sort((a, b) => sizeOf(b) - sizeOf(a))
      .slice(0, maxValues)
  }
}

/** Keeps every nth item. When it has twice as many as it returns, it drops every second one and doubles n. */
class EvenSample<T> {
  readonly #max: number
  #items: T[] = []
  #seen = 0
  #period = 1

  constructor(max: number) {
    this.#max = max
  }

  add(create: () => T): void {
    if (this.#seen++ % this.#period !== 0) return
    this.#items.push(create())
    if (this.#items.length < this.#max * 2) return
    this.#items = this.#items.filter((_, i) => i % 2 === 0)
    this.#period *= 2
  }

  items(): T[] {
    const { length } = this.#items
    if (length <= this.#max) return this.#items
    return Array.from({ length: this.#max }, (_, i) => this.#items[Math.floor((i * length) / this.#max)]!)
  }
}
