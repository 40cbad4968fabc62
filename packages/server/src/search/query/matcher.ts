import { Groups } from '../index/groups.ts'
import type { Segment } from '../index/segment.ts'
import { type Edits, generousEditsFor, promisedEditsFor, similarTerms } from '../index/spelling.ts'
import { strength } from '../index/weights.ts'
import type { Word } from './analyse.ts'

/** Letters from which an unfinished word is also looked for in the names of areas. */
const areaPrefixLength = 3
/** Misspelled forms that are looked for, closest first. */
const mostSimilar = 128

/** Names up to which a known word may still be a misspelling of another. */
const fewNames = 50

/** What a word of the query matches in one segment. */
export interface Matcher {
  readonly word: Word
  /** How telling the word is, 0 to 1; the same in all segments. */
  readonly weight: number
  /** The term that is the word itself, or -1. */
  readonly exact: number
  /** The terms that it begins: from, up to but not including. */
  readonly from: number
  readonly to: number
  /** Terms that it may be a misspelling of, with their edits. */
  readonly similar: SimilarTerms | undefined
  readonly areas: Groups
  readonly labels: Groups
  /** A country as numbered in the segment's `country` column; 0 for none. */
  readonly country: number
}

/** Terms and by how many edits they differ from a word. Nearly all that are asked for are not among them. */
class SimilarTerms extends Map<number, number> {
  readonly #held = new Uint8Array(512)

  constructor(terms: Iterable<readonly [term: number, edits: number]>) {
    super(terms)
    for (const term of this.keys()) this.#held[term & 511] = 1
  }

  /** False: not among them. */
  mayHold(term: number): boolean {
    return this.#held[term & 511] === 1
  }
}

/** How a term matches a word, 0 (not) to 1. */
export function strengthOf(segment: Segment, matcher: Matcher, term: number): number {
  if (term === matcher.exact) return strength.exact
  if (term >= matcher.from && term < matcher.to) {
    return strength.prefix + strength.prefixGain * (matcher.word.text.length / segment.terms.length(term))
  }
  if (matcher.similar === undefined || !matcher.similar.mayHold(term)) return 0
  const edits = matcher.similar.get(term)
  return edits === undefined ? 0 : strength.edits[edits]!
}

/** How much misspelling is looked through: none, what rulings: Operations promises, or more. */
export type Leniency = 'none' | 'promised' | 'generous'

/** Looks a word up in a segment, and what it says of where a place is as far as that is wanted. */
export function matcherOf(
  segment: Segment,
  word: Word,
  weight: number,
  misspellings: Misspellings,
  leniency: Leniency,
  wanted: { readonly areas: boolean; readonly country: boolean },
): Matcher {
  const { terms, facts } = segment
  const exact = terms.find(word.text)
  const [from, to] = word.unfinished ? terms.range(word.text) : [0, 0]
  const similar = misspellings.of(word.text, exact, leniency)
  const areas = new Groups(segment.areas)
  const labels = new Groups(segment.labels)
  if (exact >= 0) {
    if (wanted.areas) areas.add(exact, exact + 1)
    labels.add(exact, exact + 1, strength.category)
  }
  for (const category of word.categories) {
    const term = terms.find(category)
    if (term >= 0) labels.add(term, term + 1, strength.category)
  }
  if (wanted.areas && to > from && word.text.length >= areaPrefixLength) {
    areas.add(from, to, strength.area * strength.prefix)
    labels.add(from, to, strength.category * strength.prefix)
  }
  if (wanted.areas) {
    for (const [term, edits] of similar ?? []) areas.add(term, term + 1, strength.area * strength.edits[edits]!)
  }
  const country = word.country === undefined || !wanted.country ? 0 : facts.countries.indexOf(word.country) + 1
  return { word, weight, exact, from, to, similar, areas, labels, country }
}

/** Looks misspellings up in a segment, each word once however many spellings of the query hold it. */
export class Misspellings {
  readonly #segment: Segment
  readonly #known = new Map<string, SimilarTerms>()

  constructor(segment: Segment) {
    this.#segment = segment
  }

  /** Terms that the word, which is the term `exact` or -1, may be a misspelling of, with their edits. */
  of(word: string, exact: number, leniency: Leniency): SimilarTerms | undefined {
    if (leniency === 'none') return undefined
    const { nameStart } = this.#segment.arrays
    // A word that many names have is not bent further than promised.
    const isKnown = exact >= 0 && nameStart[exact + 1]! - nameStart[exact]! > fewNames
    const limit = leniency === 'generous' && !isKnown ? generousEditsFor(word.length) : promisedEditsFor(word.length)
    const key = `${limit}${word}`
    const found = this.#known.get(key) ?? this.#closest(word, limit)
    this.#known.set(key, found)
    return found
  }

  #closest(word: string, limit: Edits): SimilarTerms {
    const { terms, arrays } = this.#segment
    const found = similarTerms(terms, arrays, word, limit)
    if (found.size <= mostSimilar) return new SimilarTerms(found)
    // Few people get the first letter wrong.
    const first = word.charCodeAt(0)
    const far = ([term, edits]: [number, number]) => edits * 2 + (terms.text(term).charCodeAt(0) === first ? 0 : 1)
    return new SimilarTerms([...found].sort((a, b) => far(a) - far(b) || a[0] - b[0]).slice(0, mostSimilar))
  }
}
