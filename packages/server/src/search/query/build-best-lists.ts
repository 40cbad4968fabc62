import { Growable } from '../../kit/growable.ts'
import type { BestListTable } from '../index/best-lists.ts'
import { Budget } from '../index/budget.ts'
import type { IndexData } from '../index/index-data.ts'
import { type IndexView, viewOfIndex } from '../index/index-view.ts'
import type { Lexicon } from '../index/lexicon.ts'
import { sharedCopy } from '../index/typed-arrays.ts'
import { categoryPhrases } from '../text/category-words.ts'
import { matcherOf, wordTermsOf } from './matcher.ts'
import { Misspellings } from './misspellings.ts'
import { parseQuery } from './parse-query.ts'
import { rankPlaces } from './search-places.ts'
import { documentsOfWord } from './word-documents.ts'

/** Number of documents in a list: two pages of the largest size; of a prefix of one or two letters, ten. */
const listLength = { short: 200, others: 40 } as const
const shortPrefix = 2
/** Minimum number of documents of a word with a list, at least one in `documentsPerMatch` documents. */
const minMatches = 40
const documentsPerMatch = 10_000

/** A word with a list: its text as a query, and its key in the table. */
interface ListedWord {
  readonly text: string
  readonly term: number
  readonly length: number
}

/**
 * Adds the best lists to an index: runs the query of each word that many documents match. `minimum` is the number of
 * documents from which a word has a list.
 */
export function withBestLists(
  data: IndexData,
  minimum: number = Math.max(minMatches, data.facts.count / documentsPerMatch),
): IndexData {
  const view = viewOfIndex(data)
  const budget = Budget.unlimited()
  const words = listedWords(view, minimum).sort((a, b) => a.term - b.term || a.length - b.length)
  const lists = createLists()
  for (const { text, term, length } of words) {
    const total = countMatches(view, text, length > 0, budget)
    if (total < minimum) continue
    const limit = length > 0 && length <= shortPrefix ? listLength.short : listLength.others
    lists.bestTerm.push(term)
    lists.bestLength.push(length)
    lists.bestTotal.push(total)
    for (const { part, doc, score, name } of rankPlaces(view, { text, offset: 0, limit }, budget)) {
      lists.bestPart.push(part)
      lists.bestDocs.push(doc)
      lists.bestScore.push(score)
      lists.bestName.push(name)
    }
    lists.bestStart.push(lists.bestDocs.length)
  }
  const table = tableOf(lists)
  if (data.lexicon !== undefined)
    return { ...data, lexicon: { ...data.lexicon, arrays: { ...data.lexicon.arrays, ...table } } }
  const [part] = data.parts
  return { ...data, parts: [{ facts: part!.facts, arrays: { ...part!.arrays, ...table } }] }
}

const createLists = () => {
  const bestStart = new Growable(Uint32Array)
  bestStart.push(0)
  return {
    bestTerm: new Growable(Uint32Array),
    bestLength: new Growable(Uint8Array),
    bestTotal: new Growable(Uint32Array),
    bestStart,
    bestPart: new Growable(Uint8Array),
    bestDocs: new Growable(Uint32Array),
    bestScore: new Growable(Float64Array),
    bestName: new Growable(Int32Array),
  }
}

const tableOf = (lists: ReturnType<typeof createLists>): BestListTable => ({
  bestTerm: sharedCopy(lists.bestTerm.view(), Uint32Array),
  bestLength: sharedCopy(lists.bestLength.view(), Uint8Array),
  bestTotal: sharedCopy(lists.bestTotal.view(), Uint32Array),
  bestStart: sharedCopy(lists.bestStart.view(), Uint32Array),
  bestPart: sharedCopy(lists.bestPart.view(), Uint8Array),
  bestDocs: sharedCopy(lists.bestDocs.view(), Uint32Array),
  bestScore: sharedCopy(lists.bestScore.view(), Float64Array),
  bestName: sharedCopy(lists.bestName.view(), Int32Array),
})

/** Returns the words that may have a list, each once. */
function listedWords({ lexicon, parts }: IndexView, minimum: number): ListedWord[] {
  const { terms } = lexicon
  const { nameStart } = lexicon.arrays
  const labelledWith = (term: number) => {
    let sum = 0
    for (let part = 0; part < parts.length; part++) {
      const { labelTermDocs } = parts[part]!.segment.arrays
      sum += labelTermDocs[lexicon.termsBelow(part, term + 1)]! - labelTermDocs[lexicon.termsBelow(part, term)]!
    }
    return sum
  }
  const words = new Map<string, ListedWord>()
  const addPrefix = (text: string, term: number) => words.set(text, { text, term, length: text.length })
  const addTerm = (text: string, term: number) => words.set(`${text} `, { text: `${text} `, term, length: 0 })
  eachPrefix(lexicon, minimum, addPrefix)
  for (let term = 0; term < terms.count; term++) {
    const names = nameStart[term + 1]! - nameStart[term]!
    if (names + labelledWith(term) < minimum) continue
    const text = terms.text(term)
    addTerm(text, term)
    addPrefix(text, term)
  }
  for (const phrase of categoryPhrases.keys()) {
    const [from, to] = terms.range(phrase)
    if (to > from) addPrefix(phrase, from)
    const term = terms.find(phrase)
    if (term >= 0) addTerm(phrase, term)
  }
  return [...words.values()].filter(isOneWord)
}

/** Visits the prefixes of terms that occur in at least `minimum` names, with the first term of each. */
function eachPrefix({ arrays }: Lexicon, minimum: number, visit: (prefix: string, term: number) => void): void {
  const { nameStart, termStart, termUnits } = arrays
  const descend = (prefix: string, from: number, to: number) => {
    let at = from
    // A term that is the prefix itself comes first.
    while (at < to && termStart[at + 1]! - termStart[at]! === prefix.length) at++
    while (at < to) {
      const unit = termUnits[termStart[at]! + prefix.length]!
      let end = at + 1
      while (end < to && termUnits[termStart[end]! + prefix.length] === unit) end++
      if (nameStart[end]! - nameStart[at]! >= minimum) {
        const longer = prefix + String.fromCharCode(unit)
        visit(longer, at)
        descend(longer, at, end)
      }
      at = end
    }
  }
  descend('', 0, termStart.length - 1)
}

/** Returns true if a query of the text consists of one word, which is the text: reserved terms are not. */
function isOneWord({ text, length }: ListedWord): boolean {
  const { words } = parseQuery(text)
  return words.length === 1 && words[0]!.text === text.trimEnd() && words[0]!.unfinished === length > 0
}

/** Counts the documents that match a word. */
function countMatches({ lexicon, parts }: IndexView, text: string, unfinished: boolean, budget: Budget): number {
  const parsed = parseQuery(text)
  const [word] = parsed.words
  const misspellings = new Misspellings(lexicon, budget)
  const terms = wordTermsOf(lexicon, { ...word!, unfinished }, lexicon, misspellings, 'none')
  const wanted = { areas: false, country: false, regions: false, labels: true }
  return parts.reduce((sum, { segment }, part) => {
    const matcher = matcherOf(segment, lexicon, part, terms, wanted, budget)
    return sum + documentsOfWord(segment, matcher, parsed, budget).listed.count()
  }, 0)
}
