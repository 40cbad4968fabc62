import type { Interpretation } from '../../domain/interpretation.ts'
import { maxRanked, type SearchHit, type SearchQuery, type SearchResult } from '../../domain/search.ts'
import { mapList } from '../../kit/map-list.ts'
import type { Budget } from '../index/budget.ts'
import { subcategoryIdOf } from '../index/category-ids.ts'
import { type IndexView, rankOrder } from '../index/index-view.ts'
import { findNameText } from '../index/name-texts.ts'
import { BestScores } from './best-scores.ts'
import { correctionsIn } from './corrections.ts'
import { describeMatch } from './describe-match.ts'
import { geosOfName } from './geo-name.ts'
import { interpretReading, type Outcome } from './interpretation.ts'
import { Leaders } from './leaders.ts'
import { parseQuery } from './parse-query.ts'
import { groupsOf } from './part-groups.ts'
import { withLastCode } from './place-codes.ts'
import { Ranking } from './ranking.ts'
import { Results } from './results.ts'
import { SearchSteps } from './search-steps.ts'
import { selectPage } from './select-page.ts'
import { nameReading } from './understand/reading.ts'

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
  /** Index in the results of the reading that found it. */
  readonly reading: number
}

/** Searches places by text, within a budget, and returns the requested page. */
export function searchPlaces(view: IndexView, query: SearchQuery, budget: Budget): SearchResult {
  const outcome = runSteps(view, query, budget)
  const page = takePage(view, query, budget)
  return {
    hits: mapList(page, ({ part, doc, score, name, reading }) => {
      const { arrays, facts } = view.parts[part]!.segment
      const matchedName = name < 0 ? undefined : findNameText(arrays, facts.languages, doc, name)
      const id = arrays.id[doc]!
      const also = query.collapse ? followersOf(view, part, doc) : []
      const match = query.explain && describeMatch(results.readings[reading]!, part, doc)
      const found = { id, score, ...(matchedName !== undefined && { matchedName }) }
      return { ...found, ...(match && { match }), ...(also.length > 0 && { also }) }
    }),
    total: Math.min(maxRanked, results.count + results.unscored),
    ...(outcome && query.explain && { interpretation: interpret(view, query, outcome, page[0], budget) }),
    revision: view.revision,
  }
}

/** Describes what the query means, with the corrections that the first result of the page shows. */
function interpret(
  view: IndexView,
  query: SearchQuery,
  outcome: Outcome,
  first: RankedDocument | undefined,
  budget: Budget,
): Interpretation {
  const { part, doc, reading } = first ?? { part: 0, doc: 0, reading: 0 }
  const searched = first && results.readings[reading]!.typed.reading.words
  const segment = view.parts[part]?.segment
  const corrected = segment && searched ? correctionsIn(segment, doc, outcome.words, searched, budget) : []
  return interpretReading(view, query, outcome, corrected, budget)
}

/** Returns the followers of a result, in the order of ranks. */
function followersOf({ parts }: IndexView, part: number, doc: number): NonNullable<SearchHit['also']> {
  const own = results.followers.filter(({ leader }) => leader.part === part && leader.doc === doc)
  const isBefore = rankOrder(
    parts,
    own.map(follower => follower.part),
    own.map(follower => follower.doc),
  )
  const order = own.map((_, i) => i).sort((a, b) => (isBefore(a, b) ? -1 : 1))
  const also = order.map(i => {
    const { segment } = parts[own[i]!.part]!
    const categoryId = subcategoryIdOf(segment, own[i]!.doc)
    return { id: segment.arrays.id[own[i]!.doc]!, ...(categoryId !== undefined && { categoryId }) }
  })
  // Several variants of the query may find the same place.
  return also.filter(({ id }, i) => also.findIndex(other => other.id === id) === i)
}

/**
 * Searches places by text (rulings: Operations), within a budget. Further steps run depending on the text only,
 * never on the filters, so that a filter only ever removes results. Returns the requested page, by score and then by
 * rank. CLOSED places are last, because their scores are below all others.
 */
export function rankPlaces(view: IndexView, query: SearchQuery, budget: Budget): RankedDocument[] {
  runSteps(view, query, budget)
  return takePage(view, query, budget)
}

/** Collects the results of a query. Returns what gave them; undefined for a text without words. */
function runSteps(view: IndexView, query: SearchQuery, budget: Budget): Outcome | undefined {
  budget.spend(query.text.length)
  const typed = parseQuery(query.text)
  const parsed = { ...typed, words: withLastCode(view.parts, typed.words, budget) }
  results.reset()
  if (parsed.words.length === 0) return undefined
  const steps = new SearchSteps(view, query, parsed, budget, results)
  steps.run()
  return steps
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
  const ofText = { parsed, namesakes: geosOfName(view.parts, parsed.words, budget) }
  const ofRanking = { isBrand: false, isAlone: true, leaders: new Leaders() }
  const context = { lexicon, query, ...ofText, budget, results, best, strict, ...ofRanking }
  const rankings = groupsOf(view, query, budget).map(group => new Ranking(group, context))
  for (const ranking of rankings) {
    ranking.addListed(
      { ...nameReading(parsed.words), type: 'NAME' },
      ranking.parts.map(({ number }) => lists[number]!),
    )
  }
  return takePage(view, query, budget)
}

/** Returns the number of documents that the latest query of this thread has found. */
export const countFound = (): number => results.count + results.unscored

function takePage({ parts }: IndexView, { offset, limit }: SearchQuery, budget: Budget): RankedDocument[] {
  budget.spend(results.count / 2)
  const { part, doc, score, name, reading } = results.columns
  const byRank = rankOrder(parts, part, doc)
  const isBefore = (a: number, b: number) => (score[a] !== score[b] ? score[a]! > score[b]! : byRank(a, b))
  const page = selectPage(results.count, { offset, limit: Math.min(limit, maxRanked - offset) }, isBefore)
  return mapList(page, i => ({ part: part[i]!, doc: doc[i]!, score: score[i]!, name: name[i]!, reading: reading[i]! }))
}
