import type { Budget } from '../index/budget.ts'
import type { Lexicon } from '../index/lexicon.ts'
import type { Segment } from '../index/segment.ts'
import { isNameKind, kindOfText, lengthOfText } from '../index/texts.ts'
import { occasionFor } from '../text/intent-words.ts'
import { inflects, stemOf } from '../text/stems.ts'
import { type Idea, wordsOfIdea } from './ideas.ts'
import { intentWordWeights, matchStrength } from './recommendation-weights.ts'

/** Idea of a recommendation intent with its weight. */
export interface WeightedIdea extends Idea {
  /** 0 to 1; rare words weigh more. */
  readonly weight: number
}

/**
 * Returns the weight of a word: its term weight in names, with a minimum, and reduced for occasions such as "dinner".
 */
export function weightOf({ terms, arrays }: Lexicon, text: string): number {
  const term = terms.find(text)
  const rarity = term < 0 ? 1 : arrays.weight[term]! / 255
  return (
    Math.max(intentWordWeights.minimum, rarity) * (occasionFor(text) === undefined ? 1 : intentWordWeights.occasion)
  )
}

/** Matches the ideas of an intent with the names and labels of documents of one segment. */
export class IntentMatcher {
  readonly #segment: Segment
  /** Strength of each idea in a name. */
  readonly #inName: readonly number[]
  /** Ideas that each term matches, as a bit set. */
  readonly #byTerm = new Map<number, number>()
  /** Ideas that each label set matches, as a bit set. */
  readonly #bySet = new Map<number, number>()

  constructor(segment: Segment, ideas: readonly WeightedIdea[], budget: Budget) {
    this.#segment = segment
    this.#inName = ideas.map(({ concept, isDish }) =>
      concept === undefined || isDish ? matchStrength.name : matchStrength.conceptInName,
    )
    for (const [i, idea] of ideas.entries()) {
      // What is not wanted is no reason to leave a place out; its reviews decide.
      if (idea.isUnwanted) continue
      for (const word of wordsOfIdea(idea)) this.#addWord(word, i, budget)
    }
  }

  /** Adds the terms and label sets of a word and its inflections to those of an idea. */
  #addWord(word: string, i: number, budget: Budget): void {
    const { terms, labels } = this.#segment
    const stem = stemOf(word)
    const exact = terms.find(stem.text)
    const [from, to] = stem.ending > 0 ? terms.range(stem.text) : exact < 0 ? [0, 0] : [exact, exact + 1]
    for (let term = from; term < to; term++) {
      budget.spend(1)
      if (terms.length(term) - stem.text.length > stem.ending || !inflects(stem, terms.text(term))) continue
      this.#byTerm.set(term, (this.#byTerm.get(term) ?? 0) | (1 << i))
      budget.spend((labels.termStart[term + 1]! - labels.termStart[term]!) / 2)
      for (let at = labels.termStart[term]!; at < labels.termStart[term + 1]!; at++) {
        const set = labels.termGroups[at]!
        this.#bySet.set(set, (this.#bySet.get(set) ?? 0) | (1 << i))
      }
    }
  }

  /** Returns the strength of each idea's match with a document, 0 to 1; undefined if none matches. */
  strengthsOf(doc: number): number[] | undefined {
    const byLabel = this.#bySet.get(this.#segment.arrays.labels[doc]!) ?? 0
    const byName = this.#byTerm.size === 0 ? 0 : this.#wordsInNames(doc)
    if ((byLabel | byName) === 0) return undefined
    return this.#inName.map((inName, i) =>
      (byLabel & (1 << i)) !== 0 ? matchStrength.label : (byName & (1 << i)) !== 0 ? inName : 0,
    )
  }

  /** Returns the words that the names of a document match, as a bit set. */
  #wordsInNames(doc: number): number {
    const { texts, textStart } = this.#segment.arrays
    let words = 0
    for (let at = textStart[doc]!; at < textStart[doc + 1]!; ) {
      const header = texts[at]!
      const next = at + 1 + lengthOfText(header)
      if (isNameKind(kindOfText(header)))
        for (let term = at + 1; term < next; term++) words |= this.#byTerm.get(texts[term]!) ?? 0
      at = next
    }
    return words
  }
}
