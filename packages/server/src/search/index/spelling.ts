import { EditDistances } from '../../kit/edit-distance.ts'
import type { Terms } from '../text/terms.ts'
import { isBigram } from '../text/tokens.ts'
import { shared } from './growable.ts'

/** Letters of a term that are spelled every way; what differs further on is found by comparing. */
const prefixLength = 7
const digits = /^\p{N}+$/u

export type Edits = 0 | 1 | 2

/** Edits that rulings: Operations promises to forgive in a word: one from 4 letters, two from 8. */
export const promisedEditsFor = (length: number): Edits => (length < 4 ? 0 : length < 8 ? 1 : 2)

/** Edits that are forgiven where nothing else is found: one from 3 letters, two from 5. */
export const generousEditsFor = (length: number): Edits => (length < 3 ? 0 : length < 5 ? 1 : 2)

/** Whether typing errors are looked for: not in numbers, nor in bigrams. */
const mayBeMisspelled = (term: string): boolean => term.length >= 3 && !digits.test(term) && !isBigram(term)

/** Hash buckets; `groups` holds, bucket by bucket, the first term of each run of terms that share a prefix. */
export interface SpellingTable {
  readonly spellStart: Uint32Array
  readonly spellGroups: Uint32Array
}

/**
 * Symmetric deletes (Garbe, SymSpell): a dictionary prefix and a query within two edits have a form in common once
 * letters are left out of both. Each prefix is filed under all forms with up to two letters left out.
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
  const spellStart = shared(Uint32Array, buckets + 1)
  for (const term of groups) forms(term, hash => spellStart[(hash & (buckets - 1)) + 1]!++)
  for (let i = 0; i < buckets; i++) spellStart[i + 1]! += spellStart[i]!
  const spellGroups = shared(Uint32Array, entries)
  const next = spellStart.slice()
  for (const term of groups) forms(term, hash => (spellGroups[next[hash & (buckets - 1)]!++] = term))
  return { spellStart, spellGroups }
}

/** Terms within so many edits, with their distance; the word itself is left out. */
export function similarTerms(terms: Terms, table: SpellingTable, word: string, limit: Edits): Map<number, number> {
  const found = new Map<number, number>()
  if (limit === 0 || !mayBeMisspelled(word)) return found
  const mask = table.spellStart.length - 2
  const seen = new Set<number>()
  const distances = new EditDistances(word, limit)
  eachForm(word.slice(0, prefixLength), limit, hash => {
    const end = table.spellStart[(hash & mask) + 1]!
    for (let at = table.spellStart[hash & mask]!; at < end; at++) {
      const first = table.spellGroups[at]!
      if (seen.has(first)) continue
      seen.add(first)
      for (let term = first; term < terms.count && terms.samePrefix(term, first, prefixLength); term++) {
        const distance = terms.distance(term, distances)
        if (distance > 0 && distance <= limit) found.set(term, distance)
      }
    }
  })
  return found
}

/** Hashes (FNV-1a over UTF-16 units) of the text with up to `depth` units left out. */
function eachForm(text: string, depth: 1 | 2, visit: (hash: number) => void): void {
  visit(hashWithout(text, -1, -1))
  for (let i = 0; i < text.length; i++) {
    // Leaving out either of two equal neighbours gives one form.
    if (i > 0 && text.charCodeAt(i) === text.charCodeAt(i - 1)) continue
    visit(hashWithout(text, i, -1))
    if (depth < 2) continue
    for (let j = i + 1; j < text.length; j++) visit(hashWithout(text, i, j))
  }
}

function hashWithout(text: string, i: number, j: number): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) {
    if (at !== i && at !== j) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  return (hash ^ (hash >>> 15)) >>> 0
}
