import { isBigram } from '../../kit/tokens.ts'
import { unspacedCategories } from './category-words.ts'
import { unspacedDishes } from './dish-words.ts'
import { unspacedQueryPhrases } from './query-words.ts'

/** Dishes, and words that name nothing, of one character are too often part of other words. */
const isLong = (phrase: string): boolean => [...phrase].length > 1

/** Phrases with a meaning of their own in scripts without spaces between words, longest first. */
const phrases = [...unspacedCategories, ...[...unspacedDishes, ...unspacedQueryPhrases].filter(isLong)]
const phrase = new RegExp(`(${[...new Set(phrases)].sort((a, b) => b.length - a.length).join('|')})`, 'gu')
/** Japanese and Chinese particles between a place and a category: "of", "near", "around". */
const particles = /(近くの|周辺の|附近的|周边的|近く|周辺|附近|周边|の|的) | (の|的)/gu

/**
 * Inserts spaces around words for categories, dishes and preferences in text without spaces: "マドリードのホテル" becomes
 * "マドリード ホテル". Returns undefined if the text contains no such word or consists of it alone.
 */
export function separatePhrases(text: string): string | undefined {
  if (!isBigram(text)) return undefined
  const separated = text.replace(phrase, ' $1 ').replace(particles, ' ').replace(/\s+/gu, ' ').trim()
  return separated.includes(' ') && separated !== text.trim() ? separated : undefined
}
