import type { Wants } from '../../../domain/interpretation.ts'
import type { SearchQuery } from '../../../domain/search.ts'
import { mapList } from '../../../kit/map-list.ts'
import type { Budget } from '../../index/budget.ts'
import type { IndexView } from '../../index/index-view.ts'
import { isConnective } from '../../text/category-words.ts'
import { beginsDish, dishForms } from '../../text/dish-words.ts'
import { isStopWord, tripTypeOf } from '../../text/intent-words.ts'
import { kindPhrases } from '../../text/kind-words.ts'
import { nominativesOf } from '../../text/place-endings.ts'
import type { ParsedQuery } from '../parse-query.ts'
import type { Word } from '../word.ts'
import { type AskedKind, askedCategories, askedKinds, askedWords, beginsAsked } from './asked-kinds.ts'
import { type KindSpan, kindSpans } from './kinds-in-text.ts'
import { misspeltLookup } from './misspelt-place.ts'
import { type NearSpan, nearIn, nearMeIn } from './near.ts'
import { findPlaceInText, introductionOf, isStrictPreposition, type NameSpan, type PlaceSpan } from './place-in-text.ts'
import { type PlaceLookup, placeNamed } from './place-names.ts'
import type { ReadPlace } from './read-place.ts'
import { nameReading, type Reading } from './reading.ts'
import { queryWordsIn } from './wants.ts'

/** A query with a place: the reading of the other words in it, and what else may be found. */
export interface PlaceReading {
  readonly reading: Reading & { readonly place: ReadPlace; readonly placeWords: readonly string[] }
  /** A kind of place in a place that a preposition introduces: places elsewhere are no answer. */
  readonly isIntroduced: boolean
  /** If something is found in the place, areas of the same name are no answer. */
  readonly isBinding: boolean
}

/** Meaning of some words: all words of a query, or those that name something. */
export interface Understood {
  readonly name: Reading
  readonly inPlace: PlaceReading | undefined
  /** Dishes or sights, if the text consists of such words. */
  readonly asked: Reading | undefined
}

/** Meanings of a query. They follow from its text, the location bias and the index, never from filters. */
export interface Understanding {
  readonly typed: Understood
  /** Meaning without the words that name nothing; undefined if the text has no such word, or no other. */
  readonly stripped: Understood | undefined
  /** The entire text names this place. */
  readonly place: ReadPlace | undefined
}

/** Maximum number of tokens of a text that is looked up as a whole. */
const longestPlaceName = 5
/** Maximum number of look-ups of places for one query. */
const maxLookUps = 12
/**
 * Minimum popularity of a place whose name may be the beginning of a word, has the ending of a case, or praises: 50,000
 * and 200,000 people.
 */
const minPopularity = { unfinished: 0.5, inflected: 0.5, praise: 0.6 } as const
/** Radius in kilometres around a city in which its airports are. */
const airportKm = 40
/** Factor on matches without the words that name nothing, and on those of a text that is rather a name. */
const strippedFactor = 0.95
const nameLikeFactor = 0.9

/** Understands the text of a query. */
export function understand(view: IndexView, query: SearchQuery, parsed: ParsedQuery, budget: Budget): Understanding {
  const words = parsed.separated ?? parsed.words
  const all = mapList(words, ({ text }) => text)
  const name = nameReading(parsed.words)
  if (words.length < 2 || query.type === 'ADDRESS') return { typed: alone(name), stripped: undefined, place: undefined }
  const kinds = kindSpans(all, kindPhrases)
  const queryWords = queryWordsIn(all, kinds)
  const { wants } = queryWords
  const lookUp = (some: readonly string[], within?: string) =>
    placeNamed(view, some, budget, { within, near: query.near })
  const near = nearIn(view, query, all, queryWords, lookUp, budget) ?? nearMeIn(query, all, queryWords)
  const whole = near === undefined ? wholePlace(all, parsed.commas, lookUp) : undefined
  const text: TextWords = {
    all,
    words,
    kinds,
    commas: parsed.separated === undefined ? parsed.commas : new Set(),
    isDropped: queryWords.isDropped,
    isIdle: queryWords.isIdle,
    isNearMe: queryWords.isNearMe,
    isTyping: query.isTyping === true,
  }
  if (near !== undefined) return nearUnderstood(text, near, wants, name)
  const span =
    whole === undefined
      ? (placeSpanOf(text, lookUp) ??
        inflectedSpanOf(text, lookUp) ??
        misspeltSpanOf(text, misspeltLookup(view.lexicon, lookUp, budget, maxLookUps)))
      : undefined
  const isDropped = mapList(queryWords.isDropped, (drops, i) => drops && !(span && i >= span.from && i < span.to))
  const keepAll = mapList(all, () => false)
  const typed = { name, inPlace: span && placeReading(text, span, keepAll, name), asked: undefined }
  const kept = words.filter((_, i) => !isDropped[i])
  const asked = span === undefined && whole === undefined ? askedWithForms(kept) : undefined
  const isStripped = kept.length > 0 && kept.length < words.length
  if (!isStripped && asked === undefined) return { typed, stripped: undefined, place: whole }
  const ignored = all.filter((_, i) => isDropped[i] && queryWords.isIdle[i])
  const rest: Reading = { ...name, words: kept, wants, ignored, factor: strippedFactor }
  const inPlace = span && placeReading(text, span, isDropped, rest)
  const stripped = { name: rest, inPlace, asked: asked && { ...rest, ...asked } }
  return { typed, stripped, place: whole }
}

/** Returns the meaning of words that are a name only. */
const alone = (name: Reading): Understood => ({ name, inPlace: undefined, asked: undefined })

/** Returns the meaning of a text that asks for kinds of places near something. */
function nearUnderstood(
  { all, words, isDropped, isIdle }: TextWords,
  { at, place, words: placeWords }: NearSpan,
  wants: Wants,
  name: Reading,
): Understanding {
  const before = all.slice(0, at).filter((_, i) => !isDropped[i])
  const kinds = askedKinds(before)
  const ignored = all.filter((_, i) => isIdle[i])
  const reading = {
    ...name,
    kind: place.isCircle === true ? ('category_near' as const) : ('category_in_place' as const),
    words: askedWords(before, kinds),
    kinds: askedCategories(kinds),
    place,
    placeWords,
    role: 'near' as const,
    wants,
    ignored,
  }
  const inPlace = { reading, isIntroduced: true, isBinding: true }
  // "How do I get to Gardens by the Bay": a name with such a phrase.
  const isNamed = all.slice(0, at).some((_, i) => isDropped[i])
  const rest = { ...name, words: words.filter((_, i) => !isDropped[i]), wants, ignored, factor: strippedFactor }
  return {
    typed: { name: { ...name, words }, inPlace, asked: undefined },
    stripped: isNamed ? { name: rest, inPlace, asked: undefined } : undefined,
    place: undefined,
  }
}

/** Finds the place that is the entire text, perhaps with a qualifier after a comma: "Athens, Georgia". */
function wholePlace(all: readonly string[], commas: ReadonlySet<number>, lookUp: PlaceLookup): ReadPlace | undefined {
  if (all.length > longestPlaceName) return undefined
  const named = lookUp(all)
  if (named !== undefined || commas.size !== 1) return named
  const [at] = commas
  return lookUp(all.slice(0, at), all.slice(at).join(' '))
}

/** Tokens of a text, and what is known about each. */
interface TextWords {
  readonly all: readonly string[]
  readonly words: readonly Word[]
  readonly kinds: readonly KindSpan[]
  /** Indexes of the tokens after commas. */
  readonly commas: ReadonlySet<number>
  readonly isDropped: readonly boolean[]
  readonly isIdle: readonly boolean[]
  readonly isNearMe: readonly boolean[]
  /** The user is typing, so that the last word may be the beginning of a longer one. */
  readonly isTyping: boolean
}

/** Finds the place in a text: after a preposition or a comma, at the end, or in front of a kind of place. */
function placeSpanOf(text: TextWords, lookUp: PlaceLookup): PlaceSpan | undefined {
  const { all, commas, isDropped, isNearMe, isTyping, kinds, words } = text
  const hasDish = all.some(beginsDish)
  const isDish = ({ from, to }: NameSpan) => dishForms(all.slice(from, to).join(' ')) !== undefined
  const first = isDropped.indexOf(false)
  const isAsked = (from: number) => {
    const at = isDropped.indexOf(false, from)
    return at >= 0 && beginsAsked(all[at]!) && askedKinds(all.filter((_, i) => i >= from && !isDropped[i])).length > 0
  }
  const isBefore = ({ from, to }: NameSpan) => from <= first && (kinds.some(kind => kind.from === to) || isAsked(to))
  const hasNearMe = isNearMe.includes(true)
  const find = (mayName: (span: NameSpan) => boolean) =>
    findPlaceInText(all, lookUp, {
      mayName: one => !(hasNearMe && isNearMe.slice(one.from, one.to).includes(true)) && mayName(one),
      commas,
      lookUps: maxLookUps,
    })
  const mayName = (one: NameSpan) => one.isIntroduced || commas.has(one.from) || one.isLast || isBefore(one)
  // "Mexico restaurant Las Vegas": a country is a cuisine if there is another place.
  const span = hasDish
    ? (find(one => mayName(one) && !isDish(one)) ?? find(one => mayName(one) && isDish(one)))
    : find(mayName)
  if (span === undefined || commas.has(span.from)) return span
  if (introductionOf(all, span.from) !== undefined) {
    // "Jack in the Box Las Vegas": a name with a preposition.
    const isName = (at: number) => !isDropped[at] && !commas.has(at) && !kinds.some(({ from }) => from === at)
    return span.to < all.length && isName(span.to) ? find(({ isLast }) => isLast) : span
  }
  const { popularity } = span.place
  const isPraise = isDropped.slice(span.from, span.to).every(Boolean)
  if (isPraise && popularity < minPopularity.praise) return undefined
  const isUnfinished = span.to === all.length && words.at(-1)!.unfinished
  return isTyping && isUnfinished && popularity < minPopularity.unfinished ? undefined : span
}

/** Finds a place whose name has the ending of a case, in a text that consists of it and kinds of places: "музеи Парижа". */
function inflectedSpanOf(text: TextWords, lookUp: PlaceLookup): PlaceSpan | undefined {
  if (text.kinds.length === 0) return undefined
  const span = placeSpanOf(text, (some, within) => {
    const found = mapList(nominativesOf(some.at(-1)!), word => lookUp([...some.slice(0, -1), word], within))
    const [best] = found.filter(place => place !== undefined).sort((a, b) => b.popularity - a.popularity)
    return best && best.popularity >= minPopularity.inflected ? best : undefined
  })
  const reading = span && placeReading(text, span, text.isDropped, nameReading([]))?.reading
  return reading !== undefined && reading.kinds.length > 0 ? span : undefined
}

/** Finds a place with a misspelled name behind a preposition or a comma; elsewhere it may be any word of a name. */
function misspeltSpanOf({ all, commas, isTyping, isNearMe }: TextWords, lookUp: PlaceLookup): PlaceSpan | undefined {
  if (isTyping || (commas.size === 0 && !all.some(isStrictPreposition))) return undefined
  const isOther = ({ from, to }: NameSpan) => isNearMe.slice(from, to).includes(true)
  const mayName = (one: NameSpan) => (one.isStrict || commas.has(one.from)) && !isOther(one)
  return findPlaceInText(all, lookUp, { mayName, commas })
}

/** Returns what a text asks for that consists of dishes or sights, whose words differ by language. */
function askedWithForms(kept: readonly Word[]): Pick<Reading, 'kind' | 'words' | 'kinds'> | undefined {
  const words = mapList(kept, ({ text }) => text)
  const asked = askedKinds(words)
  if (!asked.some(({ forms }) => forms !== undefined)) return undefined
  return { kind: 'category', words: askedWords(words, asked), kinds: askedCategories(asked) }
}

const isDishAlone = ({ categories, isDish }: AskedKind): boolean => isDish && categories.length === 0

/** Returns the reading of the words that are not dropped and not part of a place; undefined if no word is left. */
function placeReading(
  { all, commas, words }: TextWords,
  { from, to, place }: PlaceSpan,
  isDropped: readonly boolean[],
  base: Reading,
): PlaceReading | undefined {
  const introduction = introductionOf(all, from)
  const start = introduction?.from ?? (isConnective(all[from - 1] ?? '') ? from - 1 : from)
  const kept = words.filter((_, i) => !isDropped[i] && (i < start || i >= to))
  if (kept.length === 0) return undefined
  const rest = mapList(kept, ({ text }) => text)
  const kinds = askedKinds(rest)
  const isKind = kinds.length > 0
  const isIntroduced = isKind && introduction?.isStrict === true
  // "New York Pizza", "Boston Pizza": a name as well.
  const isName = isKind && introduction === undefined && to < all.length && kinds.every(one => isDishAlone(one))
  return {
    reading: {
      ...base,
      factor: isName ? base.factor * nameLikeFactor : base.factor,
      kind: isKind ? 'category_in_place' : 'name_in_place',
      words: isKind ? askedWords(rest, kinds) : mapList(kept, word => ({ ...word, where: false })),
      kinds: askedCategories(kinds),
      place: kinds.some(({ categories }) => categories.includes('airport')) ? withAirports(place) : place,
      placeWords: all.slice(from, to),
      role: introduction?.isNear === true ? 'near' : 'in',
    },
    isIntroduced,
    isBinding: (isKind && !isName) || introduction?.isStrict === true || commas.has(from) || place.within !== undefined,
  }
}

/** Returns the reading of the kinds of places among other words that name nothing: "aeropuerto de"; undefined without one. */
export function kindsAmongWords({ reading, ...place }: PlaceReading): PlaceReading | undefined {
  const words = mapList(reading.words, ({ text }) => text)
  const rest = words.filter(word => !namesNothing(word))
  const kinds = askedKinds(rest)
  if (reading.kinds.length > 0 || kinds.length === 0) return undefined
  const ignored = [...reading.ignored, ...words.filter(namesNothing)]
  const kind = 'category_in_place' as const
  const ofKinds = { ...reading, kind, words: askedWords(rest, kinds), kinds: askedCategories(kinds), ignored }
  return { ...place, reading: ofKinds }
}

const namesNothing = (word: string): boolean => isStopWord(word) || tripTypeOf(word) !== undefined

/** Returns a place with a circle that includes its airports, which are farther from a city than other places. */
const withAirports = (place: ReadPlace): ReadPlace => ({
  ...place,
  radiusKm: Math.max(place.radiusKm, airportKm),
  namesakes: place.namesakes?.map(withAirports),
})
