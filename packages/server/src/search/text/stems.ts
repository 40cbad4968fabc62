import { isBigram } from './tokens.ts'

/** Common prefix of a word and its simple inflections, such as "view" and "views", "terrace" and "terraces". */
export interface Stem {
  readonly text: string
  /** Maximum number of letters after `text`. */
  readonly ending: number
}

const maxEnding = 3

/**
 * Removes a plural "s" and a final vowel from a folded word. Deliberately light: it has to work for many languages
 * without knowing the language of the word. Bigrams remain unchanged.
 */
export function stemOf(word: string): Stem {
  if (isBigram(word)) return { text: word, ending: 0 }
  let text = word
  if (text.length >= 4 && /[^s]s$/.test(text)) text = text.slice(0, -1)
  if (text.length >= 6 && /[aeiouy]$/.test(text)) text = text.slice(0, -1)
  return { text, ending: text.length < 3 ? 0 : text.length < 4 ? 1 : maxEnding }
}

/** Returns a test for folded texts that contain the word or an inflection of it. */
export function mentions(word: string): (folded: string) => boolean {
  const { text, ending } = stemOf(word)
  if (isBigram(word)) return folded => folded.includes(text)
  // A regular expression with look-behind takes ten times as long.
  return folded => {
    for (let at = folded.indexOf(text); at >= 0; at = folded.indexOf(text, at + 1)) {
      if (at > 0 && isLetter(folded, at - 1)) continue
      let end = at + text.length
      while (end - at - text.length <= ending && end < folded.length && isLetter(folded, end)) end++
      if (end - at - text.length <= ending) return true
    }
    return false
  }
}

/** Returns a test for folded texts that contain any of the words; a single scan rejects most texts. */
export function mentionsAny(words: readonly string[]): (folded: string) => boolean {
  if (words.length === 0) return () => false
  const any = new RegExp(words.map(word => stemOf(word).text).join('|'))
  const each = words.map(mentions)
  return folded => any.test(folded) && each.some(isIn => isIn(folded))
}

const anyLetter = /[\p{L}\p{N}\p{M}]/u

function isLetter(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  // Folded text has no capitals.
  if (unit < 128) return (unit >= 97 && unit <= 122) || (unit >= 48 && unit <= 57)
  return anyLetter.test(text[at]!)
}

/** Returns true if a token is the stem's word or an inflection of it. */
export function inflects(stem: Stem, token: string): boolean {
  return token.startsWith(stem.text) && token.length - stem.text.length <= stem.ending
}
