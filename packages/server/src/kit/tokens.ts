import { fold } from './fold.ts'

/** Maximum length of a token in UTF-16 code units; longer tokens are truncated in names and queries alike. */
export const maxTokenLength = 40
/** Maximum number of tokens of a text; the rest is ignored. */
export const maxTokens = 32

const runs = /[\p{L}\p{N}\p{M}]+/gu
const unspacedScripts =
  '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}'
const unspaced = new RegExp(`[${unspacedScripts}]`, 'u')
const pieces = new RegExp(`[${unspacedScripts}]+|[^${unspacedScripts}]+`, 'gu')

/** Returns true if a token contains a character of a script without spaces between words, and thus is a bigram. */
export const isBigram = (token: string): boolean => unspaced.test(token)

/**
 * Splits a text into folded tokens, in order: maximal runs of letters, marks and digits. Runs in scripts without spaces
 * between words (CJK, Thai, Lao, Khmer, Burmese) become overlapping character bigrams instead
 * (docs/decisions/002-search-index.md).
 */
export function tokens(text: string): string[] {
  const found: string[] = []
  const words = fold(text).match(runs)
  if (words === null) return found
  for (const word of words) {
    if (found.length >= maxTokens) break
    if (unspaced.test(word)) {
      for (const piece of word.match(pieces)!) {
        if (unspaced.test(piece)) found.push(...bigrams(piece))
        else found.push(piece.slice(0, maxTokenLength))
      }
    } else found.push(word.length > maxTokenLength ? word.slice(0, maxTokenLength) : word)
  }
  return found.length > maxTokens ? found.slice(0, maxTokens) : found
}

/** Splits a run of characters into overlapping pairs; a single character stays alone. */
function bigrams(run: string): string[] {
  const characters = [...run.normalize('NFC')]
  if (characters.length === 1) return characters
  const pairs: string[] = []
  for (let i = 0; i + 1 < characters.length && i < maxTokens; i++) pairs.push(characters[i]! + characters[i + 1]!)
  return pairs
}
