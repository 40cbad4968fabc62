import { findTopLevelCategory, topLevelCategories, withDescendants } from '../../../domain/category.ts'
import { categoryPhrases, isConnective, longestCategoryPhrase } from '../../text/category-words.ts'
import { type DishForms, dishForms, isFoodWord, longestDish } from '../../text/dish-words.ts'
import { occasionFor } from '../../text/intent-words.ts'
import { reservedTerm } from '../../text/reserved-terms.ts'
import type { Word } from '../word.ts'
import { type KindSpan, kindsAlone } from './kinds-in-text.ts'

/** Tokens that denote categories, dishes, or food in general, which says nothing next to a dish. */
export interface AskedKind extends KindSpan {
  /** Words for the dish or cuisine. */
  readonly forms?: DishForms
}

const food = ['RESTAURANT']
const isOfFood = (id: string): boolean => (findTopLevelCategory(id.toLowerCase()) ?? id) === food[0]
const longest = Math.max(longestCategoryPhrase, longestDish)
/** Words between a dish and a kind of place: "restaurante de sushi". */
const isBetween = (word: string): boolean => isConnective(word) || word === 'with' || word === 'of' || word === 'for'

/**
 * Returns the kinds of places and dishes that a text consists of; empty if it has other words. A dish asks for places
 * to eat: next to another kind the word is no dish ("japanese garden").
 */
export function askedKinds(rest: readonly string[]): readonly AskedKind[] {
  const kinds = kindsAlone(rest)
  if (kinds.length > 0) return kinds.map(kind => withForms(kind, rest))
  const found: AskedKind[] = []
  for (let at = 0; at < rest.length; ) {
    const one = askedAt(rest, at)
    if (one === undefined && (at === 0 || at === rest.length - 1 || !isBetween(rest[at]!))) return []
    if (one !== undefined) found.push(one)
    at = one?.to ?? at + 1
  }
  return found.every(({ categories }) => categories.every(isOfFood)) ? found : []
}

/** Returns the longest phrase that begins at a token. */
function askedAt(rest: readonly string[], from: number): AskedKind | undefined {
  for (let length = Math.min(longest, rest.length - from); length > 0; length--) {
    const phrase = rest.slice(from, from + length).join(' ')
    const categories = categoryPhrases.get(phrase)
    const isFood = isFoodWord(phrase) || (length === 1 && occasionFor(phrase) === food[0])
    if (categories === undefined && dishForms(phrase) === undefined && !isFood) continue
    return withForms({ from, to: from + length, categories: categories ?? [] }, rest)
  }
  return undefined
}

function withForms(span: KindSpan, rest: readonly string[]): AskedKind {
  const forms = dishForms(rest.slice(span.from, span.to).join(' '))
  return forms === undefined ? span : { ...span, forms }
}

/** Returns the categories that are asked for. */
export function askedCategories(asked: readonly AskedKind[]): readonly string[] {
  const categories = new Set(asked.flatMap(one => one.categories))
  return categories.size === 0 && asked.length > 0 ? food : [...categories]
}

/** Returns the words that names and labels of the places must have. */
export function askedWords(rest: readonly string[], asked: readonly AskedKind[]): Word[] {
  const words = asked.filter(({ categories, forms }) => categories.length > 0 || forms !== undefined)
  const hasKind = words.some(({ categories, forms }) => categories.length > 0 && forms === undefined)
  return [
    ...words.map(one => askedWord(rest.slice(one.from, one.to).join(' '), one)),
    ...(hasKind ? [] : [askedWord('restaurant', { categories: food })]),
  ]
}

/** Returns a category with those below it; a place in one of them has its top-level category, too. */
const withBelow = (id: string): readonly string[] => (isTopLevel(id) ? [id] : withDescendants(id))
const isTopLevel = (id: string): boolean => (topLevelCategories as readonly string[]).includes(id)

/** Returns a kind of place as one word, so that a phrase is no combination of words of names. */
const askedWord = (text: string, { categories, forms }: Pick<AskedKind, 'categories' | 'forms'>): Word => ({
  text,
  same: forms?.filter(form => form !== text) ?? [],
  ...(forms !== undefined && { isDish: true }),
  unfinished: false,
  categories: categories.flatMap(withBelow).map(reservedTerm.category),
  optional: false,
  where: false,
})
