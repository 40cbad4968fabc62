import { fold } from '../../kit/fold.ts'
import { isBigram } from '../../kit/tokens.ts'
import { inflects, stemOf } from '../text/stems.ts'

const runs = /[\p{L}\p{N}\p{M}]+/gu
/** Number of characters before the first match. */
const lead = 40
/** Maximum distance that a cut moves to be between words, in characters. */
const slack = 24

/** Position of a word in a text, with the index of the word. */
interface Match {
  readonly at: number
  readonly word: number
}

/**
 * Returns about `length` characters of a text around most of the words. Whitespace is collapsed; the excerpt is
 * cut between words, with … at each cut.
 */
export function snippetOf(text: string, words: readonly string[], length: number): string {
  const collapsed = text.replace(/\s+/gu, ' ').trim()
  if (collapsed.length <= length) return collapsed
  const from = startOf(matchesIn(collapsed, words), length, collapsed.length)
  const start = from === 0 ? 0 : wordStart(collapsed, from)
  const end = start + length >= collapsed.length ? collapsed.length : wordEnd(collapsed, start + length)
  return `${start > 0 ? '…' : ''}${collapsed.slice(start, end).trim()}${end < collapsed.length ? '…' : ''}`
}

/** Finds the words and their inflections in a text. */
function matchesIn(text: string, words: readonly string[]): Match[] {
  const stems = words.map(stemOf)
  const matches: Match[] = []
  for (const { 0: run, index } of text.matchAll(runs)) {
    const folded = fold(run)
    for (const [word, stem] of stems.entries()) {
      const inside = isBigram(stem.text) ? folded.normalize('NFC').indexOf(stem.text) : inflects(stem, folded) ? 0 : -1
      if (inside >= 0) matches.push({ at: index + inside, word })
    }
  }
  return matches
}

/** Returns the start of the excerpt with the most different words. */
function startOf(matches: readonly Match[], length: number, textLength: number): number {
  let most = 0
  let start = 0
  for (const { at } of matches) {
    const from = Math.max(0, at - lead)
    const inside = matches.filter(other => other.at >= at && other.at < from + length - slack)
    const words = new Set(inside.map(({ word }) => word)).size
    if (words <= most) continue
    most = words
    start = from
  }
  return Math.min(start, Math.max(0, textLength - length))
}

/** Moves a cut forward to the start of a word. */
function wordStart(text: string, at: number): number {
  const space = text.indexOf(' ', at - 1)
  return space >= 0 && space < at + slack ? space + 1 : outsideSurrogatePair(text, at)
}

/** Moves a cut back to the end of a word. */
function wordEnd(text: string, at: number): number {
  const space = text.lastIndexOf(' ', at)
  return space > at - slack ? space : outsideSurrogatePair(text, at)
}

/** Moves a cut in text without spaces out of a surrogate pair. */
const outsideSurrogatePair = (text: string, at: number): number =>
  /[\udc00-\udfff]/.test(text[at] ?? '') ? at - 1 : at
