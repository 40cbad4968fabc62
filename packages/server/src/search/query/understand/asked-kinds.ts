import { findTopLevelCategory, topLevelCategories, withDescendants } from '../../../domain/category.ts'
import { mapList } from '../../../kit/map-list.ts'
import { isConnective } from '../../text/category-words.ts'
import { beginsDish, dishForms, isFoodWord, longestDish } from '../../text/dish-words.ts'
import { occasionFor } from '../../text/intent-words.ts'
import { beginsKindPhrase, kindPhrases, longestKindPhrase, sightForms } from '../../text/kind-words.ts'
import { reservedTerm } from '../../text/reserved-terms.ts'
import type { Word } from '../word.ts'
import type { KindSpan } from './kinds-in-text.ts'

/** Tokens that denote categories, a dish, or food in general, which has no effect next to a dish. */
export interface AskedKind extends KindSpan {
  /** Words of the same meaning for a dish, a cuisine or a kind of sight. */
  readonly forms: readonly string[] | undefined
  readonly isDish: boolean
  readonly topLevel: readonly string[]
}

const restaurant = 'RESTAURANT'
const isTopLevel = (id: string): boolean => (topLevelCategories as readonly string[]).includes(id)
const topLevelOf = (id: string): string => findTopLevelCategory(id.toLowerCase()) ?? id
const longest = Math.max(longestKindPhrase, longestDish)
/** Words between a dish and a kind of place: "restaurante de sushi". */
const isBetween = (word: string): boolean => isConnective(word) || word === 'with' || word === 'of' || word === 'for'

/**
 * Returns the kinds of places and dishes that a text consists of; empty if it has other words, or kinds of different
 * top-level categories, which are mostly names ("palace hotel", "japanese garden"). A dish asks for places to eat.
 */
export function askedKinds(rest: readonly string[]): readonly AskedKind[] {
  const found: AskedKind[] = []
  for (let at = 0; at < rest.length; ) {
    const one = askedAt(rest, at)
    if (one === undefined && (at === 0 || at === rest.length - 1 || !isBetween(rest[at]!))) return []
    if (one !== undefined) found.push(one)
    at = one?.to ?? at + 1
  }
  return found.length === 1 || new Set(found.flatMap(one => one.topLevel)).size === 1 ? found : []
}

/** Returns true if a phrase for a kind of place, a dish or food begins with a token. */
export const beginsAsked = (token: string): boolean =>
  beginsKindPhrase(token) || beginsDish(token) || occasionFor(token) === restaurant

/** Returns the longest phrase that begins at a token. */
function askedAt(rest: readonly string[], from: number): AskedKind | undefined {
  for (let length = beginsAsked(rest[from]!) ? Math.min(longest, rest.length - from) : 0; length > 0; length--) {
    const phrase = rest.slice(from, from + length).join(' ')
    const categories = kindPhrases.get(phrase) ?? []
    const span = { from, to: from + length, categories, forms: undefined, isDish: false }
    const dish = dishForms(phrase)
    if (dish !== undefined) return { ...span, forms: dish, isDish: true, topLevel: [restaurant] }
    const forms = sightForms(categories)
    if (categories.length > 0) return { ...span, forms, topLevel: [...new Set(categories.map(topLevelOf))] }
    if (isFoodWord(phrase) || (length === 1 && occasionFor(phrase) === restaurant))
      return { ...span, topLevel: [restaurant] }
  }
  return undefined
}

/** Returns the categories that are asked for. */
export function askedCategories(asked: readonly AskedKind[]): readonly string[] {
  const categories = new Set(asked.flatMap(one => one.categories))
  return categories.size > 0 ? [...categories] : [...new Set(asked.flatMap(one => one.topLevel))]
}

/** Returns the words that names and labels of the places must have. */
export function askedWords(rest: readonly string[], asked: readonly AskedKind[]): Word[] {
  const words = asked.filter(({ categories, forms }) => categories.length > 0 || forms !== undefined)
  // A name with a word for a dish or a sight may be that of a hotel.
  const hasKind = words.some(({ forms }) => forms === undefined)
  return [
    ...words.map(one => askedWord(rest.slice(one.from, one.to).join(' '), one)),
    ...(hasKind ? [] : asked.slice(0, 1).map(({ topLevel }) => topLevelWord(topLevel))),
  ]
}

const topLevelWord = (topLevel: readonly string[]): Word =>
  askedWord(topLevel[0]!.toLowerCase(), { categories: topLevel, forms: undefined, isDish: false })

/** Returns a category with those below it; a place in one of them has its top-level category, too. */
const withBelow = (id: string): readonly string[] => (isTopLevel(id) ? [id] : withDescendants(id))

/** Returns a kind of place as one word, so that a phrase is no combination of words of names. */
const askedWord = (text: string, { categories, forms, isDish }: Omit<AskedKind, 'from' | 'to' | 'topLevel'>): Word => ({
  text,
  same: forms?.filter(form => form !== text) ?? [],
  isKind: true,
  isDish,
  unfinished: false,
  categories: mapList(categories.flatMap(withBelow), reservedTerm.category),
  country: undefined,
  regions: undefined,
  optional: false,
  where: false,
  required: false,
})
