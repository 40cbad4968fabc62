import { isBigram } from '../../kit/tokens.ts'

/** Common prefix of a word and its simple inflections, such as "view" and "views", "terrace" and "terraces". */
export interface Stem {
  readonly text: string
  /** Maximum number of letters after `text`. */
  readonly ending: number
}

const maxEnding = 3
/** Korean words take several particles; letters are those of decomposed syllables. */
const hangul = /^\p{Script=Hangul}/u
const maxHangulEnding = 12

/**
 * Removes a plural "s" and a final vowel from a folded word. Deliberately light: it has to work for many languages
 * without knowing the language of the word. Bigrams remain unchanged.
 */
export function stemOf(word: string): Stem {
  if (isBigram(word)) return { text: word, ending: 0 }
  if (hangul.test(word)) return { text: word, ending: maxHangulEnding }
  let text = word
  if (text.length >= 4 && /[^s]s$/.test(text)) text = text.slice(0, -1)
  if (text.length >= 6 && /[aeiouy]$/.test(text)) text = text.slice(0, -1)
  return { text, ending: text.length < 3 ? 0 : text.length < 4 ? 1 : maxEnding }
}

/** Endings of superlatives, which say something else: "fast" and "fastest", "schnell" and "schnellste". */
const superlative = /^e?st/

/** Returns the end of an inflection of the word with a stem at a position of a text; -1 if it is another word. */
function endOfInflection(folded: string, at: number, { text, ending }: Stem): number {
  if (at > 0 && isLetter(folded, at - 1)) return -1
  const from = at + text.length
  let end = from
  while (end - from <= ending && end < folded.length && isLetter(folded, end)) end++
  return end - from > ending || superlative.test(folded.slice(from, end)) ? -1 : end
}

/** Returns a test for folded texts that contain the word or an inflection of it. */
export function mentions(word: string): (folded: string) => boolean {
  const find = finderOf(word)
  return folded => find(folded, 0) !== undefined
}

/** Range of characters of a text; `to` is exclusive. */
export interface TextRange {
  readonly from: number
  readonly to: number
}

/** Returns a search for a word or phrase, or an inflection of it, in folded texts from a position on. */
export function finderOf(word: string): (folded: string, from: number) => TextRange | undefined {
  const stem = stemOf(word)
  const { text } = stem
  const isWhole = isBigram(word)
  // A regular expression with look-behind takes ten times as long.
  return (folded, from) => {
    for (let at = folded.indexOf(text, from); at >= 0; at = folded.indexOf(text, at + 1)) {
      const to = isWhole ? at + text.length : endOfInflection(folded, at, stem)
      if (to >= 0) return { from: at, to }
    }
    return undefined
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
  return (
    token.startsWith(stem.text) &&
    token.length - stem.text.length <= stem.ending &&
    !superlative.test(token.slice(stem.text.length))
  )
}
