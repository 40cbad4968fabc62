import type { Point, SearchQuery } from '../../domain/search.ts'
import type { Budget } from '../index/budget.ts'
import type { IndexView } from '../index/index-view.ts'
import { BoxRegion } from '../index/regions.ts'
import { boxAround } from '../index/sphere.ts'
import { parseQuery } from './parse-query.ts'
import { countFound, type RankedDocument, rankListed, rankPlaces } from './search-places.ts'

/** Radius around the bias within which all places are compared, in kilometres. */
const nearKm = 30
/** Maximum number of places in the box; around the densest cities it is made smaller. */
const maxNear = 4000
/** Number of the best documents without the bias that are compared with those. */
const maxFar = 50
/** Number of documents from which on comparing all of them takes too long. */
const minFound = 2000

/**
 * Ranks the documents of one word that many documents have, with a location bias: the best ones without it, which the
 * index has in a list, and those around the point. Returns undefined if all documents can be compared.
 */
export function rankNearAndFar(
  view: IndexView,
  query: SearchQuery,
  budget: Budget,
): readonly RankedDocument[] | undefined {
  const { near, ...anywhere } = query
  const { words, looksLikeCode } = parseQuery(query.text)
  if (near === undefined || words.length !== 1 || looksLikeCode) return undefined
  const best = rankPlaces(view, { ...anywhere, limit: maxFar }, budget)
  if (countFound() < minFound) return undefined
  const region = regionAround(view, near, budget)
  const lists = view.parts.map(({ segment: { points } }, part) => {
    const docs = new Set(best.filter(one => one.part === part).map(({ doc }) => doc))
    points.visit(region, budget, (from, to) => {
      budget.spend((to - from) / 4)
      for (let at = from; at < to; at++) docs.add(points.docs[at]!)
    })
    return Uint32Array.from(docs).sort()
  })
  const ranked = rankListed(view, query, lists, budget)
  return ranked.length < query.limit ? undefined : ranked
}

/** Returns the largest box around a point that has an acceptable number of documents. */
function regionAround({ parts }: IndexView, near: Point, budget: Budget): BoxRegion {
  let region = new BoxRegion(boxAround(near, nearKm))
  const count = () => parts.reduce((sum, { segment }) => sum + segment.points.count(region, budget), 0)
  for (let km = nearKm / 3; km > 1 && count() > maxNear; km /= 3) region = new BoxRegion(boxAround(near, km))
  return region
}
