import { maxRanked, type SearchQuery, type SearchResult } from '../../domain/search.ts'
import { type IndexView, type Part, rankedBefore } from '../index/index-view.ts'
import { enoughResults, goodQuality, quality } from '../index/weights.ts'
import { otherwiseWritten } from '../text/abbreviations.ts'
import { analyse, wordsOf } from './analyse.ts'
import { areaTest, postalTest } from './area-filter.ts'
import type { Budget } from './budget.ts'
import { allOf, compileFilters, type Test } from './filter.ts'
import { type AsTyped, Found, Ranking } from './ranking.ts'
import { respellings } from './respell.ts'
import { least } from './top.ts'

/**
 * Search (rulings: Operations). Whether a further tier is asked depends on the text alone, never on the filters, so that a
 * filter only ever takes places away. undefined: the budget ran out.
 */
export function searchPlaces(view: IndexView, query: SearchQuery, budget: Budget): SearchResult | undefined {
  const parsed = analyse(query.text)
  let found = new Found()
  if (parsed.words.length > 0) {
    const main = view.parts[0]!.segment
    const parts = view.parts.map((part, number) => ({ ...part, number, passes: filtersOf(part, query) }))
    const rankings = (asTyped: AsTyped) =>
      parts.map(part => new Ranking(part, main, query, parsed, budget, found, asTyped))
    for (const ranking of rankings({ known: true, whole: true })) ranking.add(parsed.words, 'strict')
    if (!found.complete && found.matching < enoughResults) {
      const asTyped = { known: found.matching > 0, whole: found.whole }
      found = new Found()
      const forgiving = rankings(asTyped)
      const typed = parsed.words.map(({ text }) => text)
      const spellings = respellings(main, typed).map(spelling => wordsOf(spelling))
      const written = otherwiseWritten(typed).map(spelling => wordsOf(spelling))
      for (const ranking of forgiving) {
        ranking.add(parsed.words, 'forgiving')
        if (parsed.apart !== undefined) ranking.add(parsed.apart, 'forgiving')
        for (const words of written) ranking.add(words, 'strict', quality.otherwiseWritten)
        for (const words of spellings) ranking.add(words, 'forgiving', quality.respelled)
      }
      if (found.matching < enoughResults && found.bestQuality < goodQuality) {
        for (const ranking of forgiving) ranking.add(parsed.words, 'partial', quality.partial)
      }
    }
  }
  return budget.exhausted ? undefined : pageOf(view, query, found)
}

function filtersOf({ segment }: Part, query: SearchQuery): Test | undefined {
  const { postalCode, geoName } = query
  const place =
    postalCode !== undefined
      ? postalTest(segment, postalCode)
      : geoName === undefined
        ? undefined
        : areaTest(segment, geoName)
  return allOf([compileFilters(segment, query), place])
}

/** CLOSED places last (they score below all others); then by score, popularity and id. */
function pageOf({ parts, revision }: IndexView, { offset, limit }: SearchQuery, found: Found): SearchResult {
  const [part, doc, score, name] = [found.part.view(), found.doc.view(), found.score.view(), found.name.view()]
  const ranked = rankedBefore(parts, part, doc)
  const before = (a: number, b: number) => (score[a] !== score[b] ? score[a]! > score[b]! : ranked(a, b))
  const page = least(doc.length, Math.min(maxRanked, offset + limit), before).slice(offset)
  return {
    hits: page.map(i => ({
      id: parts[part[i]!]!.segment.arrays.id[doc[i]!]!,
      score: score[i]!,
      ...(name[i]! >= 0 && { matchedName: name[i]! }),
    })),
    total: Math.min(maxRanked, doc.length),
    revision,
  }
}
