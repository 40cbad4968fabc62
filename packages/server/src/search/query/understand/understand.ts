import type { Wants } from '../../../domain/interpretation.ts'
import type { SearchQuery } from '../../../domain/search.ts'
import type { Budget } from '../../index/budget.ts'
import type { IndexView } from '../../index/index-view.ts'
import { isConnective } from '../../text/category-words.ts'
import { dishForms } from '../../text/dish-words.ts'
import type { ParsedQuery } from '../parse-query.ts'
import type { Word } from '../word.ts'
import { askedCategories, askedKinds, askedWords } from './asked-kinds.ts'
import { kindSpans } from './kinds-in-text.ts'
import { type NearSpan, nearIn, nearMeIn } from './near.ts'
import { findPlaceInText, introductionOf, type NameSpan, type PlaceSpan } from './place-in-text.ts'
import { type PlaceLookup, placeNamed } from './place-names.ts'
import type { ReadPlace } from './read-place.ts'
import { nameReading, type Reading } from './reading.ts'
import { queryWordsIn } from './wants.ts'

/** A query with a place: the reading of the other words in it, and what else may be found. */
export interface PlaceReading {
  readonly reading: Reading & { readonly place: ReadPlace }
  /** A kind of place in a place that a preposition introduces: places elsewhere are no answer. */
  readonly isIntroduced: boolean
  /** If something is found in the place, areas of the same name are no answer. */
  readonly isBinding: boolean
}

/** Meaning of some words: all words of a query, or those that name something. */
export interface Understood {
  readonly name: Reading
  readonly inPlace?: PlaceReading | undefined
}

/** Meanings of a query. They follow from its text, the location bias and the index, never from filters. */
export interface Understanding {
  readonly typed: Understood
  /** Meaning without the words that name nothing; undefined if the text has no such word, or no other. */
  readonly stripped?: Understood
  /** The entire text names this place. */
  readonly place?: ReadPlace
}

/** Maximum number of tokens of a text that is looked up as a whole. */
const longestPlaceName = 5
/** Maximum number of look-ups of places for one query. */
const maxLookUps = 12
/** Minimum popularity of a place whose name may be the beginning of a word, or praises: 50,000 and 200,000 people. */
const minPopularity = { unfinished: 0.5, praise: 0.6 } as const
/** Factor on matches without the words that name nothing. */
const strippedFactor = 0.95

/** Understands the text of a query. */
export function understand(view: IndexView, query: SearchQuery, parsed: ParsedQuery, budget: Budget): Understanding {
  const words = parsed.separated ?? parsed.words
  const all = words.map(({ text }) => text)
  const name = nameReading(parsed.words)
  if (words.length < 2 || query.type === 'ADDRESS') return { typed: { name } }
  const queryWords = queryWordsIn(all)
  const { wants } = queryWords
  const lookUp = (some: readonly string[], within?: string) =>
    placeNamed(view, some, budget, { within, near: query.near })
  const near = nearIn(view, query, all, queryWords, lookUp, budget) ?? nearMeIn(query, all, queryWords)
  const whole = near === undefined ? wholePlace(all, parsed.commas, lookUp) : undefined
  const text: TextWords = {
    all,
    words,
    commas: parsed.separated === undefined ? parsed.commas : new Set(),
    isDropped: queryWords.isDropped,
    isIdle: queryWords.isIdle,
    isNearMe: queryWords.isNearMe,
    isTyping: query.isTyping === true,
  }
  const span = near !== undefined || whole !== undefined ? undefined : placeSpanOf(text, lookUp)
  if (near !== undefined) return nearUnderstood(text, near, wants, name)
  const isDropped = queryWords.isDropped.map((drops, i) => drops && !(span && i >= span.from && i < span.to))
  const typed = {
    name,
    ...(span && {
      inPlace: placeReading(
        text,
        span,
        all.map(() => false),
        name,
      ),
    }),
  }
  const isStripped = isDropped.some(Boolean) && !isDropped.every(Boolean)
  if (!isStripped) return { typed, ...(whole && { place: whole }) }
  const ignored = all.filter((_, i) => isDropped[i] && queryWords.isIdle[i])
  const rest: Reading = {
    ...name,
    words: words.filter((_, i) => !isDropped[i]),
    wants,
    ignored,
    factor: strippedFactor,
  }
  const inPlace = span && placeReading(text, span, isDropped, rest)
  return { typed, stripped: { name: rest, ...(inPlace && { inPlace }) }, ...(whole && { place: whole }) }
}

/** Returns the meaning of a text that asks for kinds of places near something. */
function nearUnderstood(
  { all, words, isDropped, isIdle }: TextWords,
  { at, place }: NearSpan,
  wants: Wants,
  name: Reading,
): Understanding {
  const rest = all.slice(0, at).filter((_, i) => !isDropped[i])
  const kinds = askedKinds(rest)
  const ignored = all.filter((_, i) => isIdle[i])
  const reading = {
    ...name,
    kind: place.isCircle === true ? ('category_near' as const) : ('category_in_place' as const),
    words: askedWords(rest, kinds),
    kinds: askedCategories(kinds),
    place,
    role: 'near' as const,
    wants,
    ignored,
  }
  const inPlace = { reading, isIntroduced: true, isBinding: true }
  return { typed: { name: { ...name, words }, inPlace } }
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
  const { all, commas, isDropped, isNearMe, isTyping, words } = text
  const kinds = kindSpans(all)
  const isDish = ({ from, to }: NameSpan) => dishForms(all.slice(from, to).join(' ')) !== undefined
  const isBefore = ({ from, to }: NameSpan) => from === 0 && kinds.some(kind => kind.from === to)
  const find = (mayName: (span: NameSpan) => boolean) =>
    findPlaceInText(all, lookUp, {
      mayName: one => !isNearMe.slice(one.from, one.to).includes(true) && mayName(one),
      commas,
      lookUps: maxLookUps,
    })
  const mayName = (one: NameSpan) => one.isIntroduced || commas.has(one.from) || one.isLast || isBefore(one)
  // "Mexico restaurant Las Vegas": a country is a cuisine if there is another place.
  const span = find(one => mayName(one) && !isDish(one)) ?? find(one => mayName(one) && isDish(one))
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
  const rest = kept.map(({ text }) => text)
  const kinds = askedKinds(rest)
  const isKind = kinds.length > 0
  const isIntroduced = isKind && introduction?.isStrict === true
  return {
    reading: {
      ...base,
      kind: isKind ? 'category_in_place' : 'name_in_place',
      words: isKind ? askedWords(rest, kinds) : kept.map(word => ({ ...word, where: false })),
      kinds: askedCategories(kinds),
      place,
      role: introduction?.isNear === true ? 'near' : 'in',
    },
    isIntroduced,
    isBinding: isKind || introduction?.isStrict === true || commas.has(from) || place.within !== undefined,
  }
}
