import { topLevelCategories } from '../../domain/category.ts'
import type { SearchType } from '../../domain/search.ts'
import { mapList } from '../../kit/map-list.ts'
import type { Segment } from '../index/segment.ts'
import { eachText, kindOfText, lengthOfText, textKind } from '../index/texts.ts'
import { type Matcher, namesPlace, namesPlaceOf, strengthOf } from './matcher.ts'
import { strength } from './weights.ts'

const transport = topLevelCategories.indexOf('TRANSPORT')
/** Words that may be codes of IATA or ICAO. */
const codePattern = /^[a-z][a-z0-9]{2,3}$/

/** Marks a strength that has not been looked up. */
const unknown = -1

/**
 * Strengths of the matches between the words of a query and the properties of one document outside its names: area,
 * country, labels, codes of airports and, for COMBINED, addresses. A strength is looked up when it is first needed.
 */
export class OutsideStrengths {
  /** True if a word that was looked up matches the area or country. */
  inArea = false

  readonly #segment: Segment
  readonly #matchers: readonly Matcher[]
  readonly #type: SearchType
  /** True for each word that may be the code of an airport, next to its name: "Hobart airport HBA". */
  readonly #codes: readonly boolean[]
  /** False if no word can match outside names, so that all strengths are 0. */
  readonly #canMatch: boolean
  /** False if no document has labels and an area that match all words. */
  readonly #canMatchAll: boolean
  #doc = 0
  /** Strength of each word's match, or `unknown`. */
  readonly #strengths: Float64Array
  /** 1 for each word that matches a label. */
  readonly #labelled: Uint8Array

  constructor(segment: Segment, matchers: readonly Matcher[], type: SearchType) {
    this.#segment = segment
    this.#matchers = matchers
    this.#type = type
    this.#codes = mapList(
      matchers,
      ({ word, exact }) => matchers.length > 1 && type === 'NAME' && exact >= 0 && codePattern.test(word.text),
    )
    this.#canMatch =
      type === 'COMBINED' ||
      this.#codes.includes(true) ||
      matchers.some(matcher => namesPlace(matcher) || matcher.labels.size > 0 || matcher.word.optional)
    // The first words are looked up in the area in any case, up to one that does not match, which sets `inArea`.
    this.#canMatchAll =
      type === 'COMBINED' ||
      matchers.some(
        (matcher, i) => matcher.labels.size > 0 || (i === 0 && (namesPlace(matcher) || matcher.word.optional)),
      )
    this.#strengths = new Float64Array(matchers.length)
    this.#labelled = new Uint8Array(matchers.length)
  }

  /** Continues with another document. */
  reset(doc: number): void {
    this.#doc = doc
    this.inArea = false
    if (!this.#canMatch) return
    // For the few words of a query, a loop takes less time than `fill`.
    for (let i = 0; i < this.#matchers.length; i++) {
      this.#strengths[i] = unknown
      this.#labelled[i] = 0
    }
    if (this.#type === 'COMBINED') this.#matchAddresses()
  }

  /** Returns the strength of a word's match, given by its index. */
  strengthOf(i: number): number {
    if (this.#strengths[i] !== unknown) return this.#strengths[i]!
    const { area, labels } = this.#segment.arrays
    const matcher = this.#matchers[i]!
    const doc = this.#doc
    const isNamed = namesPlaceOf(matcher, this.#segment, doc)
    let best = isNamed ? strength.area : matcher.areas.strengthOf(area[doc]!)
    if (best > 0) this.inArea = true
    if (!matcher.word.where && this.#type !== 'ADDRESS') {
      const label = matcher.labels.strengthOf(labels[doc]!)
      if (label > 0) this.#labelled[i] = 1
      if (label > best) best = label
    }
    if (best === 0 && (matcher.word.optional || (this.#codes[i] && this.#hasCode(doc, matcher.exact))))
      best = strength.area
    this.#strengths[i] = best
    return best
  }

  /** Returns the sum of the words' weights times strengths if labels and area match all words, else 0. */
  total(): number {
    if (!this.#canMatch || !this.#canMatchAll) return 0
    let matched = 0
    let labelled = false
    for (let i = 0; i < this.#matchers.length; i++) {
      const outside = this.strengthOf(i)
      if (outside === 0) return 0
      matched += this.#matchers[i]!.weight * outside
      if (this.#labelled[i] === 1) labelled = true
    }
    return labelled ? matched : 0
  }

  /** Returns true if a document is an airport or station with a code. */
  #hasCode(doc: number, code: number): boolean {
    const { category, texts, textStart } = this.#segment.arrays
    if (category[doc] !== transport) return false
    let found = false
    eachText(texts, textStart[doc]!, textStart[doc + 1]!, (kind, from, to) => {
      found ||= kind === textKind.code && to === from + 1 && texts[from] === code
    })
    return found
  }

  /** Matches words with addresses as a property outside names, for COMBINED. */
  #matchAddresses(): void {
    const { texts, textStart } = this.#segment.arrays
    const to = textStart[this.#doc + 1]!
    for (let at = textStart[this.#doc]!; at < to; ) {
      const header = texts[at]!
      const next = at + 1 + lengthOfText(header)
      if (kindOfText(header) === textKind.address) {
        for (let i = 0; i < this.#matchers.length; i++) {
          for (let term = at + 1; term < next; term++) {
            const found = strengthOf(this.#segment, this.#matchers[i]!, texts[term]!) * strength.address
            if (found > this.strengthOf(i)) this.#strengths[i] = found
          }
        }
      }
      at = next
    }
  }
}
