import { maxRanked, type SearchQuery, type SearchResult } from '../../domain/search.ts'
import type { Budget } from '../index/budget.ts'
import { type IndexPart, type IndexView, rankOrder } from '../index/index-view.ts'
import { Lexicon } from '../index/lexicon.ts'
import { findNameText } from '../index/name-texts.ts'
import { withoutConjunctions } from '../text/abbreviations.ts'
import { addAddresses, addressReadings } from './address-step.ts'
import { areaTest, postalTest } from './area-filter.ts'
import { BestScores } from './best-scores.ts'
import { allOf, compileFilters, type Test } from './filters.ts'
import { type ParsedQuery, parseQuery, wordsOf } from './parse-query.ts'
import type { PartGroup, StrictOutcome } from './part-results.ts'
import { Ranking } from './ranking.ts'
import { Results } from './results.ts'
import { selectPage } from './select-page.ts'
import { enoughResults, goodQuality, quality } from './weights.ts'
import { wordBreakVariants } from './word-breaks.ts'

/** Results of the query that runs. */
const results = new Results()

/** Document of a result. */
export interface RankedDocument {
  /** Index of the part in the view. */
  readonly part: number
  readonly doc: number
  readonly score: number
  /** Index of the matching name in the document's list of names, or -1. */
  readonly name: number
}

/** Searches places by text, within a budget, and returns the requested page. */
export function searchPlaces(view: IndexView, query: SearchQuery, budget: Budget): SearchResult {
  const page = rankPlaces(view, query, budget)
  return {
    hits: page.map(({ part, doc, score, name }) => {
      const { arrays, facts } = view.parts[part]!.segment
      const matchedName = name < 0 ? undefined : findNameText(arrays, facts.languages, doc, name)
      const id = arrays.id[doc]!
      return matchedName === undefined ? { id, score } : { id, score, matchedName }
    }),
    total: Math.min(maxRanked, results.doc.length + results.unscored),
    revision: view.revision,
  }
}

/**
 * Searches places by text (rulings: Operations), within a budget. Additional tiers run depending on the text only,
 * never on the filters, so that a filter only ever removes results. Returns the requested page, by score and then by
 * rank. CLOSED places are last, because their scores are below all others.
 */
export function rankPlaces(view: IndexView, query: SearchQuery, budget: Budget): RankedDocument[] {
  budget.spend(query.text.length)
  const parsed = parseQuery(query.text)
  results.reset()
  if (parsed.words.length > 0) runTiers(view, query, parsed, budget)
  return takePage(view, query, budget)
}

/** Ranks the documents of some lists, one a part, that have the words of a query as they are typed. */
export function rankListed(
  view: IndexView,
  query: SearchQuery,
  lists: readonly Uint32Array[],
  budget: Budget,
): RankedDocument[] {
  const { lexicon } = view
  const parsed = parseQuery(query.text)
  results.reset()
  const best = new BestScores(query.offset + query.limit)
  const strict = { known: true, whole: true }
  for (const group of groupsOf(view, query, budget)) {
    const ranking = new Ranking(group, { lexicon, query, parsed, budget, results, best, strict })
    ranking.addListed(
      parsed.words,
      group.parts.map(({ number }) => lists[number]!),
    )
  }
  return takePage(view, query, budget)
}

/** Returns the number of documents that the latest query of this thread has found. */
export const countFound = (): number => results.doc.length + results.unscored

function takePage({ parts }: IndexView, { offset, limit }: SearchQuery, budget: Budget): RankedDocument[] {
  budget.spend(results.doc.length / 2)
  const [part, doc, score, name] = [results.part.view(), results.doc.view(), results.score.view(), results.name.view()]
  const byRank = rankOrder(parts, part, doc)
  const isBefore = (a: number, b: number) => (score[a] !== score[b] ? score[a]! > score[b]! : byRank(a, b))
  const page = selectPage(doc.length, { offset, limit: Math.min(limit, maxRanked - offset) }, isBefore)
  return page.map(i => ({ part: part[i]!, doc: doc[i]!, score: score[i]!, name: name[i]! }))
}

/**
 * Runs the strict tier, and additional tiers as long as the results are not good enough; each replaces the results
 * before.
 */
function runTiers(view: IndexView, query: SearchQuery, parsed: ParsedQuery, budget: Budget): void {
  const { lexicon } = view
  const groups = groupsOf(view, query, budget)
  const rankingsOf = (strict: StrictOutcome) => {
    const best = new BestScores(Math.min(maxRanked, query.offset + query.limit))
    return groups.map(group => new Ranking(group, { lexicon, query, parsed, budget, results, best, strict }))
  }
  for (const ranking of rankingsOf({ known: true, whole: true })) ranking.add(parsed.words, 'strict')
  if (results.complete || results.matching >= enoughResults) return

  const strict = { known: results.matching > 0, whole: results.whole }
  results.reset()
  const rankings = rankingsOf(strict)
  const typed = parsed.words.map(({ text }) => text)
  const wordBreaks = wordBreakVariants(lexicon, typed, budget).map(words => wordsOf(words))
  const spellings = withoutConjunctions(typed).map(words => wordsOf(words))
  for (const ranking of rankings) {
    ranking.add(parsed.words, 'forgiving')
    if (parsed.separated !== undefined) ranking.add(parsed.separated, 'forgiving')
    for (const words of spellings) ranking.add(words, 'strict', quality.spellingVariant)
    for (const words of wordBreaks) ranking.add(words, 'forgiving', quality.wordBreak)
  }
  const isAddress = query.type === undefined && query.isTyping !== true && !strict.known
  if (isAddress && addAddresses(addressReadings(view, query.text, parsed.words, budget), rankings, results)) return
  if (query.isTyping !== true && results.matching < enoughResults && results.bestQuality < goodQuality) {
    for (const ranking of rankings) ranking.add(parsed.words, 'partial', quality.partial)
  }
}

/** Returns the parts of the index, and its overlay, with the compiled filters of a query. */
function groupsOf({ parts, mains, lexicon }: IndexView, query: SearchQuery, budget: Budget): PartGroup[] {
  const filtered = parts.map((part, number) => ({ ...part, number, passes: filtersOf(part, query, budget) }))
  const overlays = filtered.slice(mains).map(part => ({ lexicon: Lexicon.of(part.segment), parts: [part] }))
  return [{ lexicon, parts: filtered.slice(0, mains) }, ...overlays]
}

/** Compiles the filters of a query and its area into one test; the postal code takes precedence over the area. */
function filtersOf({ segment }: IndexPart, query: SearchQuery, budget: Budget): Test | undefined {
  const { postalCode, geoName } = query
  const area =
    postalCode !== undefined
      ? postalTest(segment, postalCode)
      : geoName === undefined
        ? undefined
        : areaTest(segment, geoName, budget)
  return allOf([compileFilters(segment, query, budget), area])
}
