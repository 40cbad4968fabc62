import { topLevelCategories } from '../../domain/category.ts'
import { encodeHours } from '../../domain/encoded-hours.ts'
import { priceLevels } from '../../domain/location.ts'
import { Growable } from '../../kit/growable.ts'
import { hashText } from '../../kit/hash-text.ts'
import { isTimeZone } from '../../kit/time.ts'
import { tokens } from '../../kit/tokens.ts'
import { reservedTerm } from '../text/reserved-terms.ts'
import { spellingsOf } from '../text/spellings.ts'
import { AreaPlaces } from './area-places.ts'
import type { SearchDocument } from './document.ts'
import { textsOf } from './document-texts.ts'
import { addNameText } from './name-texts.ts'
import { prominence, weightedRating } from './popularity.ts'
import { toUnits } from './regions.ts'
import { statusCode } from './segment.ts'
import { eachRun, textHeader, textKind } from './texts.ts'
import { zoneAt } from './zone-at.ts'

/** Converts a category id into words: `geo:city` to `city`, `bed_and_breakfast` to `bed and breakfast`. */
const categoryWords = (id: string): string => id.replace(/^geo:/, '').replaceAll('_', ' ')

/** Creates the columns of documents in order of arrival. Terms in them are numbered in order of arrival too. */
const columns = () => ({
  id: new Growable(BigUint64Array),
  latitude: new Growable(Int32Array),
  longitude: new Growable(Int32Array),
  category: new Growable(Uint8Array),
  status: new Growable(Uint8Array),
  price: new Growable(Uint8Array),
  stars: new Growable(Uint8Array),
  country: new Growable(Uint16Array),
  region: new Growable(Uint16Array),
  source: new Growable(Uint16Array),
  rating: new Growable(Uint16Array),
  weightedRating: new Growable(Float32Array),
  prominence: new Growable(Float32Array),
  postal: new Growable(Uint32Array),
  area: new Growable(Uint32Array),
  labels: new Growable(Uint32Array),
  hours: new Growable(Uint32Array),
})

/** Returns a number of stars in tenths, as far as the column holds them. */
const inTenths = (stars = 0): number => Math.min(255, Math.max(0, Math.round(stars * 10)))

/** Collects documents as columns of numbers, so that a million documents fit in a few hundred megabytes. */
export class Collector {
  readonly terms = new StringTable()
  readonly countries = new StringTable()
  readonly regions = new StringTable()
  readonly sources = new StringTable()
  readonly zones = new StringTable()
  readonly languages = new StringTable()
  readonly columns = columns()
  /** Start of each document's texts in `texts`; see texts.ts for the layout. */
  readonly textStart = new Growable(Uint32Array)
  readonly texts = new Growable(Uint32Array)
  /** Start of each document's names in `nameTexts`; see name-texts.ts for the layout. */
  readonly nameTextStart = new Growable(Uint32Array)
  readonly nameTexts = new Growable(Uint8Array)
  /** Hashes of the keys of documents, and the document of each. */
  readonly keyHash = new Growable(Float64Array)
  readonly keyDoc = new Growable(Uint32Array)
  readonly areas = new TermLists()
  readonly labelSets = new TermLists()
  /** Start of the label of each area in `areaLabels`. */
  readonly areaLabelStart = new Growable(Uint32Array)
  readonly areaLabels = new Growable(Uint8Array)
  /** Reserved term of the first category id of each label set. */
  readonly labelKind = new Growable(Uint32Array)
  /** Country of each area: index into `countries` + 1, 0 without country. */
  readonly areaCountry = new Growable(Uint16Array)
  /** Records of opening hours: zone, length, encoded hours; offset 0 is reserved for unknown hours. */
  readonly hoursData = new Growable(Uint16Array)
  readonly #hoursOffsets = new Map<string, number>()

  /** Places that areas may be named after. */
  readonly places: AreaPlaces
  /** True if the places are among the documents; otherwise they were collected before. */
  readonly #ownsPlaces: boolean

  /** `places` are those of all parts of an index, if the documents are one of several. */
  constructor(places?: AreaPlaces) {
    this.hoursData.push(0)
    this.#ownsPlaces = places === undefined
    this.places = places ?? new AreaPlaces()
  }

  get count(): number {
    return this.textStart.length
  }

  add(document: SearchDocument): void {
    const { columns } = this
    for (const key of document.keys ?? []) {
      this.keyHash.push(hashText(key))
      this.keyDoc.push(this.count)
    }
    const country = document.country === undefined ? 0 : this.countries.of(document.country) + 1
    columns.id.push(document.id)
    columns.latitude.push(toUnits(document.latitude))
    columns.longitude.push(toUnits(document.longitude))
    columns.category.push(topLevelCategories.indexOf(document.category))
    columns.status.push(document.status === undefined ? 0 : statusCode[document.status])
    columns.price.push(document.priceLevel === undefined ? 0 : priceLevels.indexOf(document.priceLevel) + 1)
    columns.stars.push(inTenths(document.stars))
    columns.country.push(country)
    columns.region.push(document.region === undefined ? 0 : this.regions.of(document.region) + 1)
    columns.source.push(this.sources.of(document.source))
    columns.rating.push(document.rating === undefined ? 0 : Math.round(document.rating * 100))
    columns.weightedRating.push(weightedRating(document.rating, document.ratingCount))
    columns.prominence.push(prominence(document))
    columns.postal.push(this.#postal(document.postalCode))
    columns.area.push(this.#area(document, country))
    columns.labels.push(this.#labels(document))
    columns.hours.push(this.#hours(document))
    this.#addTexts(document)
  }

  #addTexts(document: SearchDocument): void {
    this.textStart.push(this.texts.length)
    this.nameTextStart.push(this.nameTexts.length)
    const { names, nameLanguages } = document
    const texts = textsOf(document)
    for (const { kind, name, words } of texts) {
      this.texts.push(textHeader(kind, name, words.length))
      for (const word of words) this.texts.push(this.terms.of(word))
      if (kind !== textKind.name) continue
      const language = nameLanguages?.[name]
      addNameText(this.nameTexts, language === undefined ? 0 : this.languages.of(language) + 1, names[name]!)
    }
    if (this.#ownsPlaces) this.places.addDocument(document, texts)
  }

  /** Adds the terms of the places that areas are named after; see buildAreaNames. */
  addAreaNames(): void {
    const terms = this.terms.all
    const [start, runs, countries] = [this.areas.start.view(), this.areas.runs.view(), this.areaCountry.view()]
    const countryCodes = this.countries.all
    const named = new Uint8Array(start.length)
    eachRun(start, runs, (area, from, to) => {
      if (named[area] === 1) return
      const words = Array.from(runs.subarray(from, to), term => terms[term]!)
      const place = this.places.find(countryCodes[countries[area]! - 1], words)
      if (place === undefined) return
      named[area] = 1
      for (const name of place.names) for (const word of name) this.terms.of(word)
    })
  }

  /** Returns the term of a postal code + 1, or 0. */
  #postal(code: string | undefined): number {
    return code === undefined ? 0 : this.terms.of(reservedTerm.postalCode(code)) + 1
  }

  /** Returns the number of the document's area: its country, surroundings and geo ids. */
  #area({ surroundings, geoIds = [], country, locality = [] }: SearchDocument, countryNumber: number): number {
    const ids = geoIds.map(reservedTerm.geoId)
    const label = locality.join('\n')
    const area = this.areas.of(`${country ?? ''}\n${[...surroundings, ...ids].join('\n')}\n\n${label}`, () => [
      ...surroundings
        .flatMap(name => [tokens(name), ...spellingsOf(name)])
        .map(words => words.map(word => this.terms.of(word))),
      ...ids.map(id => [this.terms.of(id)]),
    ])
    if (area === this.areaCountry.length) {
      this.areaCountry.push(countryNumber)
      this.areaLabelStart.push(this.areaLabels.length)
      for (const byte of Buffer.from(label)) this.areaLabels.push(byte)
    }
    return area
  }

  /** Returns the number of the document's label set: its categories and attributes. */
  #labels({ category, categoryIds, labels, attributeIds = [] }: SearchDocument): number {
    const ids = [...new Set<string>([category, ...categoryIds])]
    const set = this.labelSets.of([ids, labels, attributeIds].map(list => list.join('\n')).join('\n\n'), () => {
      const words = [...ids.slice(1).map(categoryWords), ...labels].flatMap(tokens)
      const reserved = [...ids.map(reservedTerm.category), ...attributeIds.map(reservedTerm.attribute)]
      return [[...new Set([...reserved, ...words])].map(word => this.terms.of(word))]
    })
    if (set === this.labelKind.length) this.labelKind.push(this.terms.of(reservedTerm.category(ids[1] ?? ids[0]!)))
    return set
  }

  /** Returns the offset of the document's opening hours in `hoursData`, 0 if they are unknown. */
  #hours({ openingHours, timezone, latitude, longitude }: SearchDocument): number {
    const encoded = openingHours === undefined ? undefined : encodeHours(openingHours)
    if (encoded === undefined) return 0
    const zone = this.zones.of(timezone !== undefined && isTimeZone(timezone) ? timezone : zoneAt(latitude, longitude))
    const record = [zone, encoded.length, ...encoded]
    const key = record.join()
    let at = this.#hoursOffsets.get(key)
    if (at === undefined) {
      at = this.hoursData.length
      this.#hoursOffsets.set(key, at)
      for (const number of record) this.hoursData.push(number)
    }
    return at
  }
}

/** Distinct strings, numbered in order of first use. */
class StringTable {
  readonly #numbers = new Map<string, number>()

  /** Returns the number of a string, and assigns one to a new string. */
  of(text: string): number {
    const known = this.#numbers.get(text)
    if (known !== undefined) return known
    this.#numbers.set(text, this.#numbers.size)
    return this.#numbers.size - 1
  }

  /** All strings, in order of their numbers. */
  get all(): string[] {
    return [...this.#numbers.keys()]
  }
}

/**
 * Distinct lists of texts that many documents share, numbered in order of first use; see texts.ts for the layout of
 * runs.
 */
class TermLists {
  readonly #numbers = new StringTable()
  /** Start of each list in `runs`. */
  readonly start = new Growable(Uint32Array)
  readonly runs = new Growable(Uint32Array)
  /** Hash of the key of each list. */
  readonly keys = new Growable(Float64Array)

  /** Returns the number of the list with a key; `texts` gives the terms of its texts when the key is new. */
  of(key: string, texts: () => number[][]): number {
    const list = this.#numbers.of(key)
    if (list < this.start.length) return list
    this.start.push(this.runs.length)
    this.keys.push(hashText(key))
    for (const terms of texts()) {
      if (terms.length === 0) continue
      this.runs.push(terms.length)
      for (const term of terms) this.runs.push(term)
    }
    return list
  }
}
