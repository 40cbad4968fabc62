import type { Highlight } from '../../domain/autocomplete.ts'
import { fold } from '../../kit/fold.ts'
import { isBigram } from '../../kit/tokens.ts'
import { type FoldedText, foldWithMap } from './fold-map.ts'

/** The words of a query, folded. */
export interface TypedWords {
  readonly words: readonly string[]
  /** True if the last word may continue. */
  readonly unfinished: boolean
}

/** The parts of a name that match a query. */
export interface FoundHighlights {
  readonly highlights: readonly Highlight[]
  /** Number of words of the query that the name has. */
  readonly found: number
}

/** A half-open range of code units of the folded text. */
type Span = readonly [from: number, to: number]

interface NameWord {
  readonly text: string
  readonly from: number
}

const runs = /[\p{L}\p{N}\p{M}]+/gu

/** Splits what was typed into words. */
export const typedWords = (text: string): TypedWords => ({
  words: fold(text).match(runs) ?? [],
  unfinished: !/\s$/.test(text),
})

/** Finds the words of a query in a name: whole, as a beginning, misspelt, or written with other spaces. */
export function findHighlights(name: string, { words, unfinished }: TypedWords): FoundHighlights {
  const folded = foldWithMap(name)
  const ofName = [...folded.text.matchAll(runs)].map(({ 0: text, index }) => ({ text, from: index }))
  const isBegun = (i: number) => unfinished && i === words.length - 1
  const spans = words.map((word, i) => findWord(ofName, word, isBegun(i)))
  if (spans.includes(undefined)) {
    const joined = findJoined(ofName, words.join(''))
    if (joined) return { highlights: toHighlights(folded, [joined]), found: words.length }
  }
  const known = spans
    .map((span, i) => span ?? findMisspelt(ofName, words[i]!, isBegun(i)))
    .filter(span => span !== undefined)
  return { highlights: toHighlights(folded, known), found: known.length }
}

function findWord(ofName: readonly NameWord[], word: string, unfinished: boolean): Span | undefined {
  const whole = ofName.find(({ text }) => text === word)
  if (whole) return spanOf(whole, 0, word.length)
  const begun = unfinished && ofName.find(({ text }) => text.startsWith(word))
  if (begun) return spanOf(begun, 0, word.length)
  if (isBigram(word)) {
    const holder = ofName.find(({ text }) => text.includes(word))
    return holder && spanOf(holder, holder.text.indexOf(word), word.length)
  }
  return undefined
}

function findMisspelt(ofName: readonly NameWord[], word: string, unfinished: boolean): Span | undefined {
  const limit = word.length < 4 ? 0 : word.length < 8 ? 1 : 2
  if (limit === 0) return undefined
  const meant = ofName.find(({ text }) => isMisspelling(word, unfinished ? text.slice(0, word.length) : text, limit))
  return meant && spanOf(meant, 0, unfinished ? Math.min(word.length, meant.text.length) : meant.text.length)
}

const spanOf = ({ from }: NameWord, start: number, length: number): Span => [from + start, from + start + length]

/** Finds a text across the words of a name, from the start of a word on: `mcdonalds` in `McDonald's`. */
function findJoined(ofName: readonly NameWord[], text: string): Span | undefined {
  const minToJoin = 3
  if (text.length < minToJoin) return undefined
  for (let first = 0; first < ofName.length; first++) {
    let rest = text
    for (const { text: part, from } of ofName.slice(first)) {
      if (part.startsWith(rest)) return [ofName[first]!.from, from + rest.length]
      if (!rest.startsWith(part)) break
      rest = rest.slice(part.length)
    }
  }
  return undefined
}

/** Returns true if one word becomes the other by at most `limit` edits (optimal string alignment). */
function isMisspelling(a: string, b: string, limit: number): boolean {
  if (Math.abs(a.length - b.length) > limit) return false
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (isSame ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, before[j - 2]! + 1)
      row.push(cost)
    }
    before = last
    last = row
  }
  return last[b.length]! <= limit
}

/** Returns the graphemes of the raw text that spans of the folded text come from, in order, without overlaps. */
function toHighlights({ starts, ends }: FoldedText, spans: readonly Span[]): Highlight[] {
  const highlights: Highlight[] = []
  for (const [from, to] of spans.toSorted((a, b) => a[0] - b[0])) {
    const [start, end] = [starts[from]!, ends[to - 1]!]
    const last = highlights.at(-1)
    const lastEnd = last ? last.start + last.length : -1
    if (last && start <= lastEnd)
      highlights[highlights.length - 1] = { ...last, length: Math.max(end, lastEnd) - last.start }
    else highlights.push({ start, length: end - start })
  }
  return highlights
}
