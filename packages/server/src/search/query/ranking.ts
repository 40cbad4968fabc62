import { maxRanked, type SearchType } from '../../domain/search.ts'
import { mapList } from '../../kit/map-list.ts'
import type { IndexPart } from '../index/index-view.ts'
import type { Segment } from '../index/segment.ts'
import { applyBestList } from './best-list.ts'
import { Bitmap } from './bitmap.ts'
import { addNamed, candidates, certainMatches, postingsOfWord } from './candidates.ts'
import { EarlyEnd } from './early-end.ts'
import type { LeaderMatcher, TypedReading } from './leaders.ts'
import { addNearby } from './location-bias.ts'
import { type Matcher, matcherOf, type WordTerms, weightOfPlace, withTakenTerms, wordTermsOf } from './matcher.ts'
import { leniencies, Misspellings } from './misspellings.ts'
import { type PartGroup, PartResults, type RankingContext } from './part-results.ts'
import { partialCandidates } from './partial-candidates.ts'
import { stepsPerVisit } from './passing-documents.ts'
import { Preferences } from './preferences.ts'
import { eachRunByRank } from './rank-order.ts'
import { documentsInPlace, matchesVariant, type RankedPart } from './ranked-part.ts'
import { boundOfType, boundOfWords } from './score-bounds.ts'
import { Scorer } from './scorer.ts'
import { restrictShortWords } from './short-words.ts'
import { rankSingleWord } from './single-word-ranking.ts'
import { type PlaceDocuments, placeDocuments } from './understand/place-documents.ts'
import type { ReadPlace } from './understand/read-place.ts'
import type { NameScope, Reading, Tier } from './understand/reading.ts'
import { variantPlace } from './variant-place.ts'
import { wantedBy } from './wanted.ts'
import { bonus, enoughResults } from './weights.ts'
import { documentsOfWord } from './word-documents.ts'

/** A reading under a tier, looked up in all parts. */
interface LookedUp {
  readonly typed: TypedReading
  readonly terms: readonly WordTerms[]
  readonly matchers: readonly (readonly Matcher[])[]
  /** See `weightOfPlace`. */
  readonly placeWeight: number
  /** Scorers of each part for leaders, created when they are needed. */
  readonly scorers: Scorer[]
}

/** Number of documents from which a bitmap of the documents of a word pays off. */
const minToList = 32

/**
 * Ranks the documents of parts that share a lexicon for a query: adds each matching document once, with its best score
 * over all variants. The result is that of a single part with all documents.
 */
export class Ranking implements LeaderMatcher {
  readonly #group: PartGroup
  readonly #context: RankingContext
  readonly #misspellings: Misspellings
  readonly #documents: readonly PartResults[]
  /** Documents of each part in the places of readings. */
  readonly #places = new Map<ReadPlace, Map<Segment, PlaceDocuments>>()
  readonly #preferences: Preferences
  /** Number of documents that match the reading that is added. */
  #hits = 0
  /** The reading that was looked up last. */
  #lookedUp: LookedUp | undefined

  constructor(group: PartGroup, context: RankingContext) {
    this.#group = group
    this.#context = context
    this.#misspellings = new Misspellings(group.lexicon, context.budget)
    this.#preferences = new Preferences(context.query, context.budget)
    const contribution = { count: 0 }
    this.#documents = mapList(group.parts, part => new PartResults(part, contribution, context))
    context.leaders.add(this)
  }

  get parts(): PartGroup['parts'] {
    return this.#group.parts
  }

  /**
   * Adds the documents that match a reading of the query under a tier. Returns the number of those that were found to
   * match and are not CLOSED, whether or not they pass the filters; it is 0 only if no document matches.
   */
  add(reading: Reading, tier: Tier): number {
    const { lexicon } = this.#group
    const { words, factor, place } = reading
    const type = this.#typeOf(reading)
    const isSingleName = words.length === 1 && type === 'NAME'
    const typed = { reading, tier }
    const { terms, matchers } = this.#lookUp(typed)
    const isAlone = tier === 'strict' && factor === 1 && this.#context.isAlone
    if (isAlone && isSingleName) {
      const ofWord = mapList(matchers, ([matcher]) => matcher!)
      const findLeader = (leader: number) => this.#context.leaders.find(leader, typed)
      const variant = { findLeader, reading: this.#context.results.addReading({ typed, of: this }) }
      if (applyBestList(this.#group, terms[0]!, ofWord, variant, this.#context, this.#documents)) return enoughResults
    }
    const ranked = this.#rankedParts(typed, !isAlone)
    this.#hits = 0
    if (tier === 'partial')
      this.#compareAll(ranked, partialCandidates(lexicon, ranked, terms, type, this.#context.budget))
    else if (place !== undefined && words.length === 0) this.#compareAll(ranked, mapList(ranked, documentsInPlace))
    else if (place !== undefined || !isSingleName || !this.#rankSingleWord(ranked))
      this.#rankWords(ranked, type, isSingleName && place === undefined)
    else this.#hits = 1
    return this.#hits
  }

  /** Adds the documents of lists, one for each part, that match a reading as typed. Returns their number as `add` does. */
  addListed(reading: Reading, lists: readonly Uint32Array[]): number {
    this.#hits = 0
    this.#compareAll(this.#rankedParts({ reading, tier: 'strict' }, !this.#context.isAlone), lists)
    return this.#hits
  }

  matches(part: number, doc: number, typed: TypedReading): boolean {
    const { place, scope } = typed.reading
    const scorer = this.scorerAt(part, typed)
    const { textStart } = this.parts[part]!.segment.arrays
    this.#context.budget.spend(3 + (textStart[doc + 1]! - textStart[doc]!) / 8)
    if (place !== undefined && !this.#documentsIn(this.parts[part]!, place).has(doc)) return false
    return scorer.matches(doc) && (scope !== 'wholeNames' || scorer.complete)
  }

  /** Returns the scorer of a reading for a part, given by its index in the group. */
  scorerAt(part: number, typed: TypedReading): Scorer {
    const { matchers, scorers } = this.#lookUp(typed)
    scorers[part] ??= this.#scorerOf(part, matchers[part]!, typed)
    return scorers[part]
  }

  #typeOf = ({ type }: Reading): SearchType => type ?? this.#context.query.type ?? 'NAME'

  #rankedParts(typed: TypedReading, remember: boolean): RankedPart[] {
    const { reading, tier } = typed
    const { factor, place, scope, kinds } = reading
    const { matchers } = this.#lookUp(typed)
    const findLeader = (leader: number) => this.#context.leaders.find(leader, typed)
    const number = this.#context.results.addReading({ typed, of: this })
    const areaCloseness = kinds.includes('airport') ? bonus.airportCloseness : bonus.areaCloseness
    return mapList(this.parts, (part, i): RankedPart => {
      const within = place && this.#documentsIn(part, place)
      const { wanted, isNearest } = this.#preferences.in(part.segment, reading.wants)
      const variant = {
        scorer: this.#scorerOf(i, matchers[i]!, typed),
        reading: number,
        factor,
        remember,
        partial: tier === 'partial',
        isWholeName: scope === 'wholeNames',
        areaCloseness,
        place: within && variantPlace(part.segment, reading, within),
        wanted,
        isNearest,
        findLeader,
      }
      return { ...part, documents: this.#documents[i]!, matchers: matchers[i]!, variant, within }
    })
  }

  #scorerOf(part: number, matchers: readonly Matcher[], typed: TypedReading): Scorer {
    const { reading, tier } = typed
    const { looksLikeCode, shortness, hasPossessive } = this.#context.parsed
    return new Scorer(this.parts[part]!.segment, matchers, {
      type: this.#typeOf(reading),
      partial: tier === 'partial',
      placeWeight: this.#lookUp(typed).placeWeight,
      looksLikeCode,
      shortness,
      hasPossessive,
      isKind: reading.kinds.length > 0,
      inPlace: reading.place !== undefined,
    })
  }

  /** Looks up the words of a reading in the lexicon and in each part. */
  #lookUp(typed: TypedReading): LookedUp {
    const { reading, tier } = typed
    const known = this.#lookedUp
    if (known?.typed.reading === reading && known.typed.tier === tier) return known
    const { words, scope } = reading
    const isSingleName = words.length === 1 && this.#typeOf(reading) === 'NAME'
    const terms = mapList(words, (word, i) =>
      wordTermsOf(this.#group.lexicon, word, this.#context.lexicon, this.#misspellings, leniencies[tier], i === 0),
    )
    const matchers = mapList(this.parts, (_, part) => this.#matchersOf(part, terms, isSingleName, scope))
    const placeWeight = weightOfPlace(this.#context.lexicon, reading, terms)
    this.#lookedUp = { typed, terms, matchers, placeWeight, scorers: [] }
    return this.#lookedUp
  }

  /** Returns the documents of a part in a place. */
  #documentsIn(part: IndexPart, place: ReadPlace): PlaceDocuments {
    const known = this.#places.get(place)?.get(part.segment)
    if (known !== undefined) return known
    const found = placeDocuments(part, place, this.#context.budget)
    const ofPlace = this.#places.get(place) ?? new Map<Segment, PlaceDocuments>()
    this.#places.set(place, ofPlace.set(part.segment, found))
    return found
  }

  /** Looks up the words in a part. */
  #matchersOf(part: number, words: readonly WordTerms[], isSingleName: boolean, scope: NameScope): readonly Matcher[] {
    const { budget } = this.#context
    const { segment } = this.#group.parts[part]!
    const wanted = wantedBy(words, isSingleName, scope)
    const matchers = mapList(words, word => matcherOf(segment, this.#group.lexicon, part, word, wanted, budget))
    restrictShortWords(segment, matchers, budget)
    return withTakenTerms(matchers)
  }

  /** Ranks the documents of the only word of a query by name; returns false, and adds none, if they are too few. */
  #rankSingleWord(ranked: readonly RankedPart[]): boolean {
    const { parsed, budget } = this.#context
    const postings = ranked.reduce((sum, { segment, matchers }) => sum + postingsOfWord(segment, matchers[0]!), 0)
    if (postings < minToList) return false
    const words = mapList(ranked, ({ segment, matchers }) => documentsOfWord(segment, matchers[0]!, parsed, budget))
    const count = words.reduce((sum, { listed }) => sum + listed.count(), 0)
    return count >= minToList && rankSingleWord(ranked, words, count, this.#context)
  }

  /** Ranks the documents that match all words. */
  #rankWords(ranked: readonly RankedPart[], type: SearchType, allMatch: boolean): void {
    const { query, budget } = this.#context
    const lists = mapList(ranked, ({ segment, matchers, within }) => {
      const docs = candidates(segment, matchers, type, budget, within)
      // Those of the next part overwrite them.
      return ranked.length === 1 ? docs : docs.slice()
    })
    const total = lists.reduce((sum, { length }) => sum + length, 0)
    if (total <= maxRanked) {
      this.#compareAll(ranked, lists, this.#earlyEnds(ranked, lists, type, allMatch))
      return
    }
    budget.require(total)
    // The order of prominence may reach these too late.
    const preferred = mapList(ranked, ({ segment }) => Bitmap.of(segment, 'preferred'))
    const segments = mapList(ranked, ({ segment }) => segment)
    const matchers = mapList(ranked, part => part.matchers)
    addNamed(ranked, matchers, preferred)
    addNearby(query.near, segments, preferred, maxRanked, budget)
    budget.spend(total / 8)
    const first = mapList(preferred, (bitmap, i) => bitmap.intersect(lists[i]!))
    this.#compareAll(ranked, first, this.#earlyEnds(ranked, lists, type, allMatch))
    this.#compareAll(ranked, lists, this.#earlyEnds(ranked, lists, type, allMatch), preferred)
  }

  #earlyEnds(ranked: readonly RankedPart[], lists: readonly Uint32Array[], type: SearchType, allMatch: boolean) {
    const { parsed, budget, best } = this.#context
    const { looksLikeCode } = parsed
    // Documents that are only counted would include those whose names have more words.
    if (ranked.some(({ variant }) => variant.isWholeName)) return []
    return mapList(
      ranked,
      ({ segment, matchers, documents, variant }, i) =>
        new EarlyEnd(documents, best, {
          bound: () =>
            type === 'NAME'
              ? boundOfWords(segment, matchers, looksLikeCode, variant)
              : boundOfType(looksLikeCode, variant),
          allMatch,
          certain: () => (type === 'NAME' ? certainMatches(segment, matchers, lists[i]!, budget) : undefined),
        }),
    )
  }

  /**
   * Compares documents of each part with the query, except those in `skips`, until the group has contributed `maxRanked`
   * results. With `early`, a document that cannot reach the page is only counted.
   */
  #compareAll(
    ranked: readonly RankedPart[],
    lists: readonly ArrayLike<number>[],
    early: readonly EarlyEnd[] = [],
    skips: readonly Bitmap[] = [],
  ): void {
    const compare = (part: number, from: number, to: number) => {
      this.#compare(ranked[part]!, lists[part]!, from, to, early[part], skips[part])
      return !this.#documents[part]!.isFull
    }
    const total = lists.reduce((sum, { length }) => sum + length, 0)
    // The order matters only if not all of them are compared.
    if (total <= maxRanked) for (let part = 0; part < lists.length; part++) compare(part, 0, lists[part]!.length)
    else eachRunByRank(ranked, lists, compare)
  }

  /** Compares the documents of a list from `from` up to `to` (exclusive). */
  #compare(
    { dead, passes, segment, documents, variant }: RankedPart,
    docs: ArrayLike<number>,
    from: number,
    to: number,
    early?: EarlyEnd,
    skip?: Bitmap,
  ): void {
    const { results, budget } = this.#context
    const { scorer, remember } = variant
    const { textStart } = segment.arrays
    for (let i = from; i < to && !documents.isFull; i++) {
      budget.spend(stepsPerVisit)
      const doc = docs[i]!
      if (dead?.[doc] === 1 || skip?.has(doc)) continue
      const isPassing = passes === undefined || passes(doc)
      // Documents that fail the filters count until it is clear that no additional tier or reading runs.
      if (!isPassing && this.#hits > 0 && (results.complete || documents.isSettled)) continue
      const length = textStart[doc + 1]! - textStart[doc]!
      if (isPassing && early?.excludes(doc)) {
        const isCertain = early.matchesCertainly(doc)
        budget.spend(isCertain ? 0 : 1 + length / 16)
        if (!isCertain && !scorer.includes(doc)) continue
        documents.skip(doc, remember)
        this.#hit(doc, documents)
        continue
      }
      budget.spend(3 + length / 8)
      if (!matchesVariant(variant, doc, documents)) continue
      this.#hit(doc, documents)
      documents.note(doc, variant)
      documents.countMatch(doc, remember)
      if (!isPassing) continue
      documents.add(doc, variant)
    }
  }

  #hit(doc: number, documents: PartResults): void {
    if (!documents.isClosed(doc)) this.#hits++
  }
}
