import { createRequire } from 'node:module'
import { topLevelCategories } from '../../domain/category.ts'
import { priceLevels } from '../../domain/location.ts'
import { isTimeZone } from '../../kit/time.ts'
import { reservedTerm } from '../text/terms.ts'
import { tokens } from '../text/tokens.ts'
import type { SearchDocument } from './document.ts'
import { Growable } from './growable.ts'
import { encodeHours } from './opening.ts'
import { popularity, weightedRating } from './popularity.ts'
import { toUnits } from './regions.ts'
import { statusCode, textHeader, textKind } from './segment.ts'

// The package is CommonJS whose only export is the function.
const zoneAt = createRequire(import.meta.url)('@photostructure/tz-lookup') as (
  latitude: number,
  longitude: number,
) => string

/** `geo:city` -> `city`, `bed_and_breakfast` -> `bed and breakfast`. */
const categoryWords = (id: string): string => id.replace(/^geo:/, '').replaceAll('_', ' ')

/** Names of one place that count. */
const maxNames = 4000

/** A column for each fact of a document, in the order of arrival; terms are numbered in the order of arrival too. */
const columns = () => ({
  id: new Growable(BigUint64Array),
  latitude: new Growable(Int32Array),
  longitude: new Growable(Int32Array),
  category: new Growable(Uint8Array),
  status: new Growable(Uint8Array),
  price: new Growable(Uint8Array),
  country: new Growable(Uint16Array),
  source: new Growable(Uint16Array),
  rating: new Growable(Uint16Array),
  weightedRating: new Growable(Float32Array),
  popularity: new Growable(Float32Array),
  postal: new Growable(Uint32Array),
  area: new Growable(Uint32Array),
  labels: new Growable(Uint32Array),
  hours: new Growable(Uint32Array),
})

/** Gathers documents into plain numbers, so that a million of them fit in a few hundred megabytes. */
export class Collector {
  readonly terms = new Numbered()
  readonly countries = new Numbered()
  readonly sources = new Numbered()
  readonly zones = new Numbered()
  readonly columns = columns()
  /** Where the texts of each document begin in `texts`. */
  readonly textStart = new Growable(Uint32Array)
  readonly texts = new Growable(Uint32Array)
  readonly areas = new TermLists()
  readonly labelSets = new TermLists()
  /** The country of each area, numbered as in `countries` + 1. */
  readonly areaCountry = new Growable(Uint16Array)
  readonly hoursData = new Growable(Uint16Array)
  readonly #hours = new Map<string, number>()

  constructor() {
    this.hoursData.push(0)
  }

  get count(): number {
    return this.textStart.length
  }

  add(document: SearchDocument): void {
    const { columns } = this
    const country = document.country === undefined ? 0 : this.countries.of(document.country) + 1
    columns.id.push(document.id)
    columns.latitude.push(toUnits(document.latitude))
    columns.longitude.push(toUnits(document.longitude))
    columns.category.push(topLevelCategories.indexOf(document.category))
    columns.status.push(document.status === undefined ? 0 : statusCode[document.status])
    columns.price.push(document.priceLevel === undefined ? 0 : priceLevels.indexOf(document.priceLevel) + 1)
    columns.country.push(country)
    columns.source.push(this.sources.of(document.source))
    columns.rating.push(document.rating === undefined ? 0 : Math.round(document.rating * 100))
    columns.weightedRating.push(weightedRating(document.rating, document.ratingCount))
    columns.popularity.push(popularity(document.rating, document.ratingCount, document.population))
    columns.postal.push(this.#postal(document.postalCode))
    columns.area.push(this.#area(document, country))
    columns.labels.push(this.#labels(document))
    columns.hours.push(this.#hoursOf(document))
    this.#addTexts(document)
  }

  #addTexts(document: SearchDocument): void {
    this.textStart.push(this.texts.length)
    const seen = new Set<string>()
    const add = (kind: number, name: number, text: string) => {
      const words = tokens(text)
      const key = `${kind}${words.join(' ')}`
      if (words.length === 0 || seen.has(key)) return
      seen.add(key)
      this.texts.push(textHeader(kind, name, words.length))
      for (const word of words) this.texts.push(this.terms.of(word))
    }
    const { names, primaryName } = document
    if (names[primaryName] !== undefined) add(textKind.name, primaryName, names[primaryName])
    for (let i = 0; i < names.length && i < maxNames; i++) if (i !== primaryName) add(textKind.name, i, names[i]!)
    for (const code of document.codes) add(textKind.code, 0, code)
    for (const address of document.addresses) add(textKind.address, 0, address)
  }

  #postal(code: string | undefined): number {
    return code === undefined ? 0 : this.terms.of(reservedTerm.postalCode(code)) + 1
  }

  #area({ surroundings, geoIds = [], country }: SearchDocument, countryNumber: number): number {
    const ids = geoIds.map(reservedTerm.geoId)
    const area = this.areas.of(`${country ?? ''}\n${[...surroundings, ...ids].join('\n')}`, () => [
      ...surroundings.map(name => tokens(name).map(word => this.terms.of(word))),
      ...ids.map(id => [this.terms.of(id)]),
    ])
    if (area === this.areaCountry.length) this.areaCountry.push(countryNumber)
    return area
  }

  #labels({ category, categoryIds, labels }: SearchDocument): number {
    const ids = [...new Set<string>([category, ...categoryIds])]
    return this.labelSets.of(`${ids.join('\n')}\n\n${labels.join('\n')}`, () => {
      const words = [...ids.slice(1).map(categoryWords), ...labels].flatMap(tokens)
      return [[...new Set([...ids.map(reservedTerm.category), ...words])].map(word => this.terms.of(word))]
    })
  }

  #hoursOf({ openingHours, timezone, latitude, longitude }: SearchDocument): number {
    const encoded = openingHours === undefined ? undefined : encodeHours(openingHours)
    if (encoded === undefined) return 0
    const zone = this.zones.of(timezone !== undefined && isTimeZone(timezone) ? timezone : zoneAt(latitude, longitude))
    const record = [zone, encoded.length, ...encoded]
    const key = record.join()
    let at = this.#hours.get(key)
    if (at === undefined) {
      at = this.hoursData.length
      this.#hours.set(key, at)
      for (const number of record) this.hoursData.push(number)
    }
    return at
  }
}

/** Strings, numbered in the order in which they first came. */
class Numbered {
  readonly #numbers = new Map<string, number>()

  of(text: string): number {
    const known = this.#numbers.get(text)
    if (known !== undefined) return known
    this.#numbers.set(text, this.#numbers.size)
    return this.#numbers.size - 1
  }

  get all(): string[] {
    return [...this.#numbers.keys()]
  }
}

/** Lists of texts that many documents share, each kept once: numbered, with their terms as runs of length and terms. */
class TermLists {
  readonly #numbers = new Numbered()
  readonly start = new Growable(Uint32Array)
  readonly runs = new Growable(Uint32Array)

  of(key: string, texts: () => number[][]): number {
    const list = this.#numbers.of(key)
    if (list < this.start.length) return list
    this.start.push(this.runs.length)
    for (const terms of texts()) {
      if (terms.length === 0) continue
      this.runs.push(terms.length)
      for (const term of terms) this.runs.push(term)
    }
    return list
  }
}
