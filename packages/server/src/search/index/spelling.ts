import { EditDistances } from '../../kit/edit-distance.ts'
import { isBigram } from '../../kit/tokens.ts'
import type { Budget } from './budget.ts'
import type { TermDictionary } from './term-dictionary.ts'
import { sharedArray } from './typed-arrays.ts'

/**
 * Length of the prefix that deletions apply to, in code units. Terms with a matching prefix are compared as a whole.
 */
const prefixLength = 7
const digits = /^\p{N}+$/u

/** Maximum number of edits between a word and a term. */
export type Edits = 0 | 1 | 2

/** Returns true if a term takes part in spelling correction: numbers, bigrams and terms below three units do not. */
const mayBeMisspelled = (term: string): boolean => term.length >= 3 && !digits.test(term) && !isBigram(term)

/**
 * Arrays of the spelling index: a hash table from forms to groups. A group is a run of consecutive terms with the same
 * prefix and is represented by its first term.
 */
export interface SpellingTable {
  /** Length buckets + 1, where buckets is a power of two: start of each bucket in `spellGroups`. */
  readonly spellStart: Uint32Array
  /**
   * First terms of groups, by bucket. The bits above those of the highest term are the same bits of the form's hash, so
   * that almost all groups of other forms with the same bucket are skipped without a look at their terms.
   */
  readonly spellGroups: Uint32Array
}

/**
 * Builds the spelling index by symmetric deletes (SymSpell, Garbe 2012): a prefix and a word within two edits have a
 * form in common when up to two code units are deleted from each. Each prefix is filed under all its forms; prefixes
 * shorter than `prefixLength` only under forms with one deletion.
 */
export function buildSpelling(sortedTerms: readonly string[]): SpellingTable {
  const groups: number[] = []
  let last = ''
  for (let term = 0; term < sortedTerms.length; term++) {
    const text = sortedTerms[term]!
    const prefix = text.slice(0, prefixLength)
    if (prefix === last || !mayBeMisspelled(text)) continue
    last = prefix
    groups.push(term)
  }
  const forms = (term: number, visit: (hash: number) => void) => {
    const prefix = sortedTerms[term]!.slice(0, prefixLength)
    eachForm(prefix, prefix.length < prefixLength ? 1 : 2, visit)
  }
  let entries = 0
  for (const term of groups) forms(term, () => entries++)
  let buckets = 16
  while (buckets < entries / 4) buckets *= 2
  const spellStart = sharedArray(Uint32Array, buckets + 1)
  for (const term of groups) forms(term, hash => spellStart[(hash & (buckets - 1)) + 1]!++)
  for (let i = 0; i < buckets; i++) spellStart[i + 1]! += spellStart[i]!
  const spellGroups = sharedArray(Uint32Array, entries)
  const next = spellStart.slice()
  const termBits = bitsOfTerms(sortedTerms.length)
  for (const term of groups)
    forms(term, hash => (spellGroups[next[hash & (buckets - 1)]!++] = (hash & ~termBits) | term))
  return { spellStart, spellGroups }
}

/** Returns a mask of the bits that numbers of terms use. */
const bitsOfTerms = (terms: number): number => (terms === 0 ? 0 : -1 >>> Math.clz32(terms))

/** Returns the terms within `limit` edits of a word, without the word itself, and their edit distances. */
export function similarTerms(
  terms: TermDictionary,
  table: SpellingTable,
  word: string,
  limit: Edits,
  budget: Budget,
): Map<number, number> {
  const found = new Map<number, number>()
  if (limit === 0 || !mayBeMisspelled(word)) return found
  const mask = table.spellStart.length - 2
  const seen = new Set<number>()
  const distances = new EditDistances(word, limit)
  const termBits = bitsOfTerms(terms.count)
  eachForm(word.slice(0, prefixLength), limit, hash => {
    const end = table.spellStart[(hash & mask) + 1]!
    budget.spend(2)
    for (let at = table.spellStart[hash & mask]!; at < end; at++) {
      if (((table.spellGroups[at]! ^ hash) & ~termBits) !== 0) continue
      const first = table.spellGroups[at]! & termBits
      if (seen.has(first)) continue
      seen.add(first)
      for (let term = first; term < terms.count && terms.samePrefix(term, first, prefixLength); term++) {
        budget.spend(1)
        const distance = terms.distance(term, distances)
        if (distance > 0 && distance <= limit) found.set(term, distance)
      }
    }
  })
  return found
}

/** Visits the hashes (FNV-1a over UTF-16 code units) of a text with up to `depth` code units deleted. */
function eachForm(text: string, depth: 1 | 2, visit: (hash: number) => void): void {
  visit(hashWithout(text, -1, -1))
  for (let i = 0; i < text.length; i++) {
    // Deleting either of two equal neighbours gives the same form.
    if (i > 0 && text.charCodeAt(i) === text.charCodeAt(i - 1)) continue
    visit(hashWithout(text, i, -1))
    if (depth < 2) continue
    for (let j = i + 1; j < text.length; j++) visit(hashWithout(text, i, j))
  }
}

/** Hashes a text without the code units at `i` and `j`; -1 deletes nothing. */
function hashWithout(text: string, i: number, j: number): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) {
    if (at !== i && at !== j) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  return (hash ^ (hash >>> 15)) >>> 0
}
