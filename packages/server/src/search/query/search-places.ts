import { maxRanked, type SearchQuery, type SearchResult } from '../../domain/search.ts'
import type { Budget } from '../index/budget.ts'
import { type IndexPart, type IndexView, rankOrder } from '../index/index-view.ts'
import { findNameText } from '../index/name-texts.ts'
import { spellingVariants } from '../text/abbreviations.ts'
import { areaTest, postalTest } from './area-filter.ts'
import { allOf, compileFilters, type Test } from './filters.ts'
import { type ParsedQuery, parseQuery, wordsOf } from './parse-query.ts'
import { Ranking, type StrictOutcome } from './ranking.ts'
import { Results } from './results.ts'
import { selectPage } from './select-page.ts'
import { enoughResults, goodQuality, quality } from './weights.ts'
import { wordBreakVariants } from './word-breaks.ts'

/**
 * Searches places by text (rulings: Operations), within a budget. Additional tiers run depending on the text only,
 * never on the filters, so that a filter only ever removes results.
 */
export function searchPlaces(view: IndexView, query: SearchQuery, budget: Budget): SearchResult {
  budget.spend(query.text.length)
  const parsed = parseQuery(query.text)
  const results = parsed.words.length > 0 ? runTiers(view, query, parsed, budget) : new Results()
  budget.spend(results.doc.length / 2)
  return pageOf(view, query, results)
}

/**
 * Runs the strict tier, and additional tiers as long as the results are not good enough; each replaces the results
 * before.
 */
function runTiers(view: IndexView, query: SearchQuery, parsed: ParsedQuery, budget: Budget): Results {
  const main = view.parts[0]!.segment
  const parts = view.parts.map((part, number) => ({ ...part, number, passes: filtersOf(part, query, budget) }))
  const rankingsOf = (results: Results, strict: StrictOutcome) =>
    parts.map(part => new Ranking(part, { main, query, parsed, budget, results, strict }))
  const exact = new Results()
  for (const ranking of rankingsOf(exact, { known: true, whole: true })) ranking.add(parsed.words, 'strict')
  if (exact.complete || exact.matching >= enoughResults) return exact

  const results = new Results()
  const rankings = rankingsOf(results, { known: exact.matching > 0, whole: exact.whole })
  const typed = parsed.words.map(({ text }) => text)
  const wordBreaks = wordBreakVariants(main, typed, budget).map(words => wordsOf(words))
  const spellings = spellingVariants(typed).map(words => wordsOf(words))
  for (const ranking of rankings) {
    ranking.add(parsed.words, 'forgiving')
    if (parsed.separated !== undefined) ranking.add(parsed.separated, 'forgiving')
    for (const words of spellings) ranking.add(words, 'strict', quality.spellingVariant)
    for (const words of wordBreaks) ranking.add(words, 'forgiving', quality.wordBreak)
  }
  if (results.matching < enoughResults && results.bestQuality < goodQuality) {
    for (const ranking of rankings) ranking.add(parsed.words, 'partial', quality.partial)
  }
  return results
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

/**
 * Returns the requested page, by score and then by rank. CLOSED places are last, because their scores are below all
 * others.
 */
function pageOf({ parts, revision }: IndexView, { offset, limit }: SearchQuery, results: Results): SearchResult {
  const [part, doc, score, name] = [results.part.view(), results.doc.view(), results.score.view(), results.name.view()]
  const byRank = rankOrder(parts, part, doc)
  const isBefore = (a: number, b: number) => (score[a] !== score[b] ? score[a]! > score[b]! : byRank(a, b))
  const page = selectPage(doc.length, { offset, limit: Math.min(limit, maxRanked - offset) }, isBefore)
  return {
    hits: page.map(i => {
      const { arrays, facts } = parts[part[i]!]!.segment
      const matched = name[i]! < 0 ? undefined : findNameText(arrays, facts.languages, doc[i]!, name[i]!)
      return { id: arrays.id[doc[i]!]!, score: score[i]!, ...(matched && { matchedName: matched }) }
    }),
    total: Math.min(maxRanked, doc.length + results.unscored),
    revision,
  }
}
