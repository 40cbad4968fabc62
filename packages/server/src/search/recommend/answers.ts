import type { Segment } from '../index/segment.ts'
import { textKind } from '../index/texts.ts'
import { inflects, stemOf } from '../text/stems.ts'
import { occasionFor } from './intent-words.ts'
import { found, word as wordWeight } from './recommendation-weights.ts'

export interface IntentWord {
  readonly text: string
  /** How telling it is, up to 1. */
  readonly weight: number
}

/** How telling a word of an intent is: rare in names, and no mere occasion. */
export function weightOf({ terms, arrays }: Segment, text: string): number {
  const term = terms.find(text)
  const rarity = term < 0 ? 1 : arrays.weight[term]! / 255
  return Math.max(wordWeight.least, rarity) * (occasionFor(text) === undefined ? 1 : wordWeight.occasion)
}

/** Which words of an intent the names and labels of a document answer. */
export class Answers {
  readonly #segment: Segment
  readonly #words: number
  readonly #byTerm = new Map<number, number>()
  readonly #bySet = new Map<number, number>()

  constructor(segment: Segment, words: readonly IntentWord[]) {
    this.#segment = segment
    this.#words = words.length
    const { terms, labels } = segment
    for (const [i, { text }] of words.entries()) {
      const stem = stemOf(text)
      const exact = terms.find(stem.text)
      const [from, to] = stem.ending > 0 ? terms.range(stem.text) : exact < 0 ? [0, 0] : [exact, exact + 1]
      for (let term = from; term < to; term++) {
        if (terms.length(term) - stem.text.length > stem.ending || !inflects(stem, terms.text(term))) continue
        this.#byTerm.set(term, (this.#byTerm.get(term) ?? 0) | (1 << i))
        for (let at = labels.termStart[term]!; at < labels.termStart[term + 1]!; at++) {
          const set = labels.termGroups[at]!
          this.#bySet.set(set, (this.#bySet.get(set) ?? 0) | (1 << i))
        }
      }
    }
  }

  /** Undefined where no word is answered. */
  of(doc: number): number[] | undefined {
    const byLabel = this.#bySet.get(this.#segment.arrays.labels[doc]!) ?? 0
    const byName = this.#byTerm.size === 0 ? 0 : this.#inNames(doc)
    if ((byLabel | byName) === 0) return undefined
    return Array.from({ length: this.#words }, (_, i) =>
      (byLabel & (1 << i)) !== 0 ? found.label : (byName & (1 << i)) !== 0 ? found.name : 0,
    )
  }

  #inNames(doc: number): number {
    const { texts, textStart } = this.#segment.arrays
    let mask = 0
    for (let at = textStart[doc]!; at < textStart[doc + 1]!; ) {
      const header = texts[at]!
      const next = at + 1 + (header & 0xff)
      if (header >>> 30 === textKind.name)
        for (let term = at + 1; term < next; term++) mask |= this.#byTerm.get(texts[term]!) ?? 0
      at = next
    }
    return mask
  }
}
