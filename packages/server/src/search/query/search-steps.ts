import type { Fallback } from '../../domain/interpretation.ts'
import { maxRanked, type Point, type SearchQuery } from '../../domain/search.ts'
import { distanceKm } from '../../kit/great-circle.ts'
import { mapList } from '../../kit/map-list.ts'
import type { Budget } from '../index/budget.ts'
import type { IndexView } from '../index/index-view.ts'
import { withoutConjunctions } from '../text/abbreviations.ts'
import { addAddresses, addressReadings } from './address-step.ts'
import { BestScores } from './best-scores.ts'
import { isBrandWord } from './brand-word.ts'
import { geosOfName } from './geo-name.ts'
import { Leaders } from './leaders.ts'
import { joinedMcVariant, nicknameVariant } from './nickname-variant.ts'
import { type ParsedQuery, wordsOf } from './parse-query.ts'
import { groupsOf } from './part-groups.ts'
import type { StrictOutcome } from './part-results.ts'
import { addPlaceItself, fartherReadings, wholeNamesElsewhere, widenedReadings } from './place-step.ts'
import { Ranking } from './ranking.ts'
import type { Results } from './results.ts'
import { placeNamed } from './understand/place-names.ts'
import { cityReachKm } from './understand/read-place.ts'
import { type NameScope, nameReading, type Reading, type Tier } from './understand/reading.ts'
import {
  kindsAmongWords,
  type PlaceReading,
  type Understanding,
  type Understood,
  understand,
} from './understand/understand.ts'
import { enoughResults, fewResults, goodQuality, minSurePlace, quality } from './weights.ts'
import type { Word } from './word.ts'
import { wordBreakVariants } from './word-breaks.ts'

/**
 * The steps of a search (rulings: Operations, R-144): names as typed, and in the place that the query names; the same
 * without words that name nothing; typing errors; parts of the query. A step runs only if those before did not find
 * enough. All readings of a step are searched together: a place keeps its best score.
 */
export class SearchSteps {
  readonly #view: IndexView
  readonly #query: SearchQuery
  readonly #parsed: ParsedQuery
  readonly #budget: Budget
  readonly #results: Results
  readonly #understanding: Understanding
  readonly #namesakes: readonly Point[]
  readonly #isBrand: boolean
  /** The query with the name of a place in place of a nickname, and with "Mc" joined to a name. */
  readonly #equal: readonly Reading[]
  #rankings: readonly Ranking[] = []
  #reading: Reading
  #fallback: Fallback | undefined

  constructor(view: IndexView, query: SearchQuery, parsed: ParsedQuery, budget: Budget, results: Results) {
    this.#view = view
    this.#query = query
    this.#parsed = parsed
    this.#budget = budget
    this.#results = results
    this.#understanding = understand(view, query, parsed, budget)
    this.#namesakes = geosOfName(view.parts, parsed.words, budget)
    this.#isBrand = query.isTyping !== true && isBrandWord(view.parts, parsed.words, budget)
    const nickname = nicknameVariant(parsed.words)
    // "HCMC" is the city, although an airport has this code.
    if (nickname !== undefined) this.#parsed = { ...parsed, looksLikeCode: false }
    const joined = joinedMcVariant(parsed.words)
    this.#equal = [
      ...(nickname === undefined ? [] : [nameReading(nickname)]),
      ...(joined === undefined ? [] : [{ ...nameReading(joined), factor: quality.otherSpelling }]),
    ]
    const { typed, place } = this.#understanding
    this.#reading = place === undefined ? typed.name : { ...typed.name, kind: 'place', place }
    if (query.type === 'ADDRESS') this.#reading = { ...typed.name, kind: 'address' }
  }

  /** The reading that gave the results, or that found nothing. */
  get reading(): Reading {
    return this.#reading
  }

  /** All words of the query. */
  get words(): readonly Word[] {
    return this.#parsed.words
  }

  /** Answers in place of what the text asks for. */
  get fallbacks(): readonly Fallback[] {
    const { kind } = this.#reading
    if (this.#fallback !== undefined) return [this.#fallback]
    if (kind === 'partial') return ['partial']
    return this.#query.type === undefined && (kind === 'address' || kind === 'postal_code') ? ['address'] : []
  }

  run(): void {
    const { typed } = this.#understanding
    // An unfinished text says little about what its words mean.
    const stripped = this.#query.isTyping === true ? undefined : this.#understanding.stripped
    const results = this.#results
    this.#begin({ known: true, whole: true })
    const found = this.#addStrict(typed)
    this.#addEqual()
    let read = typed
    let place = found
    const before = results.matching
    if (stripped !== undefined && !results.complete && results.matching < fewResults) {
      place = this.#addStrict(stripped) ?? place
      read = stripped
      if (results.matching > before || before === 0) this.#reading = stripped.asked ?? stripped.name
    }
    if (place !== undefined) this.#reading = place.reading
    if (results.complete || results.matching >= enoughResults) return
    if (place !== undefined && place.reading.kinds.length > 0 && place.isBinding) return
    if (results.matching === 0 && this.#addWholePlace()) return
    this.#addForgiving(typed, read, place)
  }

  /** Begins with no results. */
  #begin(strict: StrictOutcome): void {
    const { lexicon } = this.#view
    const { typed, stripped } = this.#understanding
    this.#results.reset()
    const { offset, limit, collapse } = this.#query
    // The number of followers is known if all documents are compared.
    const best = new BestScores(collapse ? maxRanked : Math.min(maxRanked, offset + limit))
    const isAlone = typed.inPlace === undefined && stripped === undefined && this.#equal.length === 0
    const context = {
      lexicon,
      query: this.#query,
      parsed: this.#parsed,
      budget: this.#budget,
      results: this.#results,
      best,
      strict,
      isAlone,
      namesakes: this.#namesakes,
      isBrand: this.#isBrand,
      leaders: new Leaders(),
    }
    this.#rankings = mapList(groupsOf(this.#view, this.#query, this.#budget), group => new Ranking(group, context))
  }

  #add(reading: Reading, tier: Tier): number {
    let hits = 0
    for (const ranking of this.#rankings) hits += ranking.add(reading, tier)
    return hits
  }

  /** Adds what matches as typed. Returns the reading with a place that found something. */
  #addStrict({ name, inPlace, asked }: Understood): PlaceReading | undefined {
    if (asked !== undefined) this.#add(asked, 'strict')
    if (inPlace === undefined) {
      this.#add(name, 'strict')
      return undefined
    }
    const found = this.#addInPlace(inPlace)
    const isBound = inPlace.isBinding && (inPlace.isIntroduced || found !== undefined)
    this.#add({ ...name, scope: isBound ? scopeOutside(inPlace) : 'all' }, 'strict')
    return found
  }

  /** Adds what has another name of the same meaning. */
  #addEqual(): void {
    for (const reading of this.#equal) this.#add(reading, 'strict')
  }

  /** Adds what a place contains; if it contains nothing, the next place of that name decides. */
  #addInPlace(inPlace: PlaceReading): PlaceReading | undefined {
    const { reading } = inPlace
    for (const place of [reading.place, ...(reading.place.namesakes ?? [])]) {
      const found = { ...reading, place }
      if (this.#add(found, 'strict') > 0) return { ...inPlace, reading: found }
    }
    return undefined
  }

  /**
   * Adds the places in the place that the entire text names, although no location has its name. Returns true if the
   * text names such a place: others are no answer, even if it is empty.
   */
  #addWholePlace(): boolean {
    const { words } = this.#parsed
    if (this.#query.isTyping === true || this.#query.type === 'ADDRESS') return false
    const typed = mapList(words, ({ text }) => text)
    const whole = this.#understanding.place
    const place = words.length === 1 ? placeNamed(this.#view, typed, this.#budget) : whole
    if (place === undefined) return false
    this.#reading = { ...nameReading([]), kind: 'place', place, factor: quality.placeOnly }
    this.#fallback = 'place_only'
    const ofPlace = { place, placeWords: typed }
    if (addPlaceItself(this.#view, this.#rankings, ofPlace, this.#budget) === 0) this.#add(this.#reading, 'strict')
    return true
  }

  /** Adds what matches with typing errors, or in part. */
  #addForgiving(typed: Understood, read: Understood, found: PlaceReading | undefined): void {
    const results = this.#results
    const place = found ?? read.inPlace
    const isBound = place?.isBinding === true && (place.isIntroduced || found !== undefined)
    const isKnown = results.matching > 0
    this.#begin({ known: isKnown, whole: results.whole })
    if (place !== undefined) {
      this.#addVariants(place.reading)
      if (place.isIntroduced || results.matching > 0) this.#reading = place.reading
    }
    const names = [typed, ...(read === typed ? [] : [read])].map(({ name }) => this.#outside(name, place))
    if (isBound) for (const name of names) this.#add({ ...name, scope: scopeOutside(place) }, 'strict')
    else {
      if (!isKnown && this.#query.near !== undefined) this.#add(unfinished(names[0]!), 'strict')
      this.#addNames(names, read.asked)
    }
    if (this.#query.isTyping === true) return
    if (place?.isIntroduced !== true && !isKnown && this.#addAddresses()) return
    this.#addInPart(names, place, typed)
    if (place !== undefined && results.matching === 0) this.#fallBackTo(place)
  }

  /** Adds names anywhere with typing errors, and the kinds that are asked for. */
  #addNames([typed, ...others]: readonly Reading[], asked: Reading | undefined): void {
    this.#addVariants(typed!)
    this.#addEqual()
    if (asked !== undefined) this.#add(asked, 'strict')
    for (const name of others) this.#addVariants(name)
  }

  /** Returns a reading of the words as a name in all places, which has the name of the place that the query means. */
  #outside(name: Reading, place: PlaceReading | undefined): Reading {
    if (place === undefined || !this.#isSure(place)) return name
    const { placeWords } = place.reading
    return { ...name, words: mapList(name.words, word => ({ ...word, required: placeWords.includes(word.text) })) }
  }

  /** Adds what has some of the words, in the place of the query and outside. */
  #addInPart(names: readonly Reading[], place: PlaceReading | undefined, typed: Understood): void {
    const { matching, bestQuality } = this.#results
    if (matching >= enoughResults || bestQuality >= goodQuality) return
    const inPlace = place !== undefined && place.reading.kinds.length === 0 ? [place.reading] : []
    const outside = place?.isIntroduced === true ? [] : names
    for (const reading of [...inPlace, ...outside]) {
      const inPart: Reading = { ...reading, kind: 'partial', factor: reading.factor * quality.partial }
      if (this.#add(inPart, 'partial') > 0 && matching === 0) this.#reading = inPart
    }
    for (const inPlace of [typed.inPlace, place]) {
      for (const elsewhere of inPlace === undefined ? [] : wholeNamesElsewhere(inPlace))
        if (this.#add(elsewhere, 'strict') > 0 && matching === 0) this.#reading = elsewhere
    }
  }

  /** Returns true if a query certainly means a place: it is introduced, or a city of some size that is not far away. */
  #isSure({ isBinding, reading: { place } }: PlaceReading): boolean {
    if (isBinding) return true
    if (place.centre === undefined) return false
    const { near } = this.#query
    const { latitude, longitude } = place.centre
    const isFar = near !== undefined && distanceKm(near.latitude, near.longitude, latitude, longitude) > cityReachKm
    return place.popularity >= minSurePlace && !isFar
  }

  /**
   * Adds what is like what a query asks for in a place that has nothing of it: a kind without other words, places of a
   * similar kind, or the place itself.
   */
  #fallBackTo(place: PlaceReading): void {
    const ofKind = kindsAmongWords(place) ?? place
    this.#reading = ofKind.reading
    if (ofKind !== place && this.#add(ofKind.reading, 'strict') > 0) return
    for (const reading of fartherReadings(ofKind)) if (this.#add(reading, 'strict') > 0) return
    for (const reading of widenedReadings(ofKind)) {
      if (this.#add(reading, 'strict') === 0) continue
      this.#fallback = 'kind_widened'
      return
    }
    const itself = { ...place.reading, place: { ...place.reading.place, namesakes: undefined } }
    if (addPlaceItself(this.#view, this.#rankings, itself, this.#budget) > 0) this.#fallback = 'place_only'
  }

  /** Adds what the text as an address or postal code finds. Returns true if it finds something. */
  #addAddresses(): boolean {
    const { type, text } = this.#query
    if (type !== undefined) return false
    const readings = addressReadings(this.#view, text, this.#parsed.words, this.#budget)
    const found = addAddresses(readings, this.#rankings, this.#results)
    if (found !== undefined) this.#reading = found
    return found !== undefined
  }

  /** Adds a reading with typing errors, abbreviations and spaces in other places. */
  #addVariants(reading: Reading): void {
    const { words, factor } = reading
    this.#add(reading, 'forgiving')
    if (reading.kinds.length > 0) return
    const { separated } = this.#parsed
    if (separated !== undefined && reading.kind === 'name') this.#add({ ...reading, words: separated }, 'forgiving')
    const typed = mapList(words, ({ text }) => text)
    for (const some of withoutConjunctions(typed))
      this.#add({ ...reading, words: wordsOf(some), factor: factor * quality.spellingVariant }, 'strict')
    for (const some of wordBreakVariants(this.#view.lexicon, typed, this.#budget))
      this.#add({ ...reading, words: wordsOf(some), factor: factor * quality.wordBreak }, 'forgiving')
  }
}

/** Returns a reading in which any word may be the beginning of one: "exp dragon" near the Dragon Express. */
const unfinished = (reading: Reading): Reading => ({
  ...reading,
  words: mapList(reading.words, word => ({ ...word, unfinished: true })),
  factor: reading.factor * quality.spellingVariant,
})

/** Returns the names that are found outside a place that binds: "Pizza in Rome" is the name of a restaurant. */
const scopeOutside = ({ isIntroduced, reading }: PlaceReading): NameScope =>
  isIntroduced && reading.kinds.length > 0 ? 'wholeNames' : 'names'
