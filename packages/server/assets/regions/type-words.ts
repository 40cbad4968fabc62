import { isBigram, tokens } from '../../src/kit/tokens.ts'
import type { LocalNames } from './build-names.ts'

/** Share of a country's names in a language from which a word at one end of them is its word for a type of region. */
const typeShare = 0.3
/** Minimum number of such names. */
const minNames = 4
/** Number of words that are removed from each end: "Provincia de". */
const rounds = 2

/** Name as a list of parts: its tokens, or its characters in a script without spaces between words. */
type Parts = readonly string[]

const partsOf = (name: string): Parts => {
  const words = tokens(name)
  return words.length > 0 && words.every(isBigram) ? [...name.replaceAll(/\s/g, '')] : words
}
const phraseOf = (parts: Parts): string => tokens(parts.join(parts.every(part => isBigram(part)) ? '' : ' ')).join(' ')

/**
 * Returns the names of each region as phrases, with and without the words for its type: Kagoshima Prefecture, 鹿児島県.
 * The words that many names of one country and language begin or end with are those words.
 */
export function withoutTypeWords(local: ReadonlyMap<string, LocalNames>): ReadonlyMap<string, readonly string[]> {
  const phrases = new Map<string, Set<string>>([...local.keys()].map(code => [code, new Set()]))
  const typeWords = new Set<string>()
  for (const names of groupNames(local).values()) {
    let current = names
    for (let round = 0; round <= rounds; round++) {
      for (const { code, parts } of current) phrases.get(code)!.add(phraseOf(parts))
      current = strip(current, typeWords)
    }
  }
  // "City" alone is no name of the City of London.
  const isName = (phrase: string) => !phrase.split(' ').every(word => word === '' || typeWords.has(word))
  return new Map([...phrases].map(([code, set]) => [code, [...set].filter(isName)]))
}

interface Name {
  readonly code: string
  readonly parts: Parts
}

/** Returns the names of all regions by country and language. */
function groupNames(local: ReadonlyMap<string, LocalNames>): Map<string, Name[]> {
  const groups = new Map<string, Name[]>()
  for (const [code, names] of local) {
    for (const [language, texts] of names) {
      const key = `${code.slice(0, 2)} ${language}`
      const group = groups.get(key) ?? []
      groups.set(key, group)
      for (const text of texts) group.push({ code, parts: partsOf(text) })
    }
  }
  return groups
}

/**
 * Removes the first and last parts that are common, and adds them to `typeWords`; a name keeps at least one part, two
 * characters without spaces.
 */
function strip(names: readonly Name[], typeWords: Set<string>): Name[] {
  const ends = (pick: (parts: Parts) => string | undefined) => {
    const counts = new Map<string, Set<string>>()
    for (const { code, parts } of names) {
      const end = parts.length > 1 ? pick(parts) : undefined
      if (end !== undefined) counts.set(end, (counts.get(end) ?? new Set()).add(code))
    }
    const regions = new Set(names.map(({ code }) => code)).size
    const least = Math.max(minNames, typeShare * regions)
    return new Set([...counts].filter(([, { size }]) => size >= least).map(([end]) => end))
  }
  const [first, last] = [ends(parts => parts[0]), ends(parts => parts.at(-1))]
  for (const word of [...first, ...last]) typeWords.add(word)
  return names.map(({ code, parts }) => {
    const least = parts.every(part => isBigram(part)) ? 2 : 1
    const from = first.has(parts[0]!) && parts.length > least ? 1 : 0
    const to = last.has(parts.at(-1)!) && parts.length - from > least ? -1 : undefined
    return { code, parts: parts.slice(from, to) }
  })
}
