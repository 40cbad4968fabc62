import type { Correction } from '../../domain/interpretation.ts'
import { editDistance } from '../../kit/edit-distance.ts'
import type { Budget } from '../index/budget.ts'
import type { Segment } from '../index/segment.ts'
import { eachText } from '../index/texts.ts'
import type { Word } from './word.ts'

/** Maximum number of edits of a correction. */
const maxEdits = 2

/**
 * Returns the words of a query that a document has in another spelling: misspelled ones, and those joined or split.
 * `searched` are the words of the reading that found the document.
 */
export function correctionsIn(
  segment: Segment,
  doc: number,
  typed: readonly Word[],
  searched: readonly Word[],
  budget: Budget,
): readonly Correction[] {
  const terms = termsOf(segment, doc)
  budget.spend(terms.size * searched.length)
  const isIn = (list: readonly Word[], { text }: Word) => list.some(other => other.text === text)
  const [old, changed] = [typed.filter(word => !isIn(searched, word)), searched.filter(word => !isIn(typed, word))]
  const join = (list: readonly Word[], by: string) => list.map(({ text }) => text).join(by)
  const isSpaced = changed.length > 0 && join(old, '') === join(changed, '')
  return [
    ...(isSpaced ? [{ from: join(old, ' '), to: join(changed, ' ') }] : []),
    ...searched.flatMap(word => correctionOf(word, terms)),
  ]
}

function correctionOf({ text, same, unfinished, categories }: Word, terms: ReadonlySet<string>): Correction[] {
  const isFound = (term: string) => term === text || same.includes(term) || (unfinished && term.startsWith(text))
  if (categories.length > 0 || terms.values().some(isFound)) return []
  let closest: string | undefined
  let edits = maxEdits + 1
  for (const term of terms) {
    const distance = editDistance(text, term, maxEdits)
    if (distance >= edits || distance >= text.length / 2) continue
    edits = distance
    closest = term
  }
  return closest === undefined ? [] : [{ from: text, to: closest }]
}

/** Returns the words of the names, addresses and areas of a document. */
function termsOf({ arrays, terms }: Segment, doc: number): ReadonlySet<string> {
  const { texts, textStart, area, areaTexts, areaTextStart } = arrays
  const found = new Set<string>()
  eachText(texts, textStart[doc]!, textStart[doc + 1]!, (_, from, to) => {
    for (let at = from; at < to; at++) found.add(terms.text(texts[at]!))
  })
  const end = areaTextStart[area[doc]! + 1]!
  for (let at = areaTextStart[area[doc]!]!; at < end; at += areaTexts[at]! + 1)
    for (let i = 1; i <= areaTexts[at]!; i++) found.add(terms.text(areaTexts[at + i]!))
  return found
}
