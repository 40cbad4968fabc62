import { fold } from '../text/fold.ts'
import { inflects, stemOf } from '../text/stems.ts'
import { isBigram } from '../text/tokens.ts'

const runs = /[\p{L}\p{N}\p{M}]+/gu
/** Characters before the first matching word. */
const lead = 40
/** How far a cut may move to fall between words. */
const slack = 24

/** About `length` characters of a text around most of the words, whole words, with … where it was cut. */
export function snippetOf(text: string, words: readonly string[], length: number): string {
  const tidy = text.replace(/\s+/gu, ' ').trim()
  if (tidy.length <= length) return tidy
  const from = startOf(placesOf(tidy, words), length, tidy.length)
  const begin = from === 0 ? 0 : wordStart(tidy, from)
  const end = begin + length >= tidy.length ? tidy.length : wordEnd(tidy, begin + length)
  return `${begin > 0 ? '…' : ''}${tidy.slice(begin, end).trim()}${end < tidy.length ? '…' : ''}`
}

/** Where which word is. */
function placesOf(text: string, words: readonly string[]): { at: number; word: number }[] {
  const stems = words.map(stemOf)
  const places: { at: number; word: number }[] = []
  for (const { 0: run, index } of text.matchAll(runs)) {
    const folded = fold(run)
    for (const [word, stem] of stems.entries()) {
      const inside = isBigram(stem.text) ? folded.normalize('NFC').indexOf(stem.text) : inflects(stem, folded) ? 0 : -1
      if (inside >= 0) places.push({ at: index + inside, word })
    }
  }
  return places
}

/** The beginning from which most different words fit. */
function startOf(places: readonly { at: number; word: number }[], length: number, whole: number): number {
  let most = 0
  let start = 0
  for (const { at } of places) {
    const from = Math.max(0, at - lead)
    const held = new Set(places.filter(other => other.at >= at && other.at < from + length - slack).map(o => o.word))
      .size
    if (held <= most) continue
    most = held
    start = from
  }
  return Math.min(start, Math.max(0, whole - length))
}

function wordStart(text: string, at: number): number {
  const blank = text.indexOf(' ', at - 1)
  return blank >= 0 && blank < at + slack ? blank + 1 : wholeCharacter(text, at)
}

function wordEnd(text: string, at: number): number {
  const blank = text.lastIndexOf(' ', at)
  return blank > at - slack ? blank : wholeCharacter(text, at)
}

/** Texts without blanks are cut anywhere but inside a surrogate pair. */
const wholeCharacter = (text: string, at: number): number => (/[\udc00-\udfff]/.test(text[at] ?? '') ? at - 1 : at)
