import { maxRanked, type SearchQuery, type SearchResult } from '../../domain/search.ts'
import type { Budget } from '../index/budget.ts'
import { type IndexView, rankOrder } from '../index/index-view.ts'
import { findNameText } from '../index/name-texts.ts'
import { BestScores } from './best-scores.ts'
import { parseQuery } from './parse-query.ts'
import { groupsOf } from './part-groups.ts'
import { Ranking } from './ranking.ts'
import { Results } from './results.ts'
import { SearchSteps } from './search-steps.ts'
import { selectPage } from './select-page.ts'

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
 * Searches places by text (rulings: Operations), within a budget. Further steps run depending on the text only,
 * never on the filters, so that a filter only ever removes results. Returns the requested page, by score and then by
 * rank. CLOSED places are last, because their scores are below all others.
 */
export function rankPlaces(view: IndexView, query: SearchQuery, budget: Budget): RankedDocument[] {
  budget.spend(query.text.length)
  const parsed = parseQuery(query.text)
  results.reset()
  if (parsed.words.length > 0) new SearchSteps(view, query, parsed, budget, results).run()
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
  const context = { lexicon, query, parsed, budget, results, best, strict, isAlone: true }
  for (const group of groupsOf(view, query, budget)) {
    const ranking = new Ranking(group, context)
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
