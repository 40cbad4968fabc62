import type { RecommendationHit, RecommendationQuery, Recommender } from '../../domain/recommendation.ts'
import type { QueryCaller } from '../../domain/search.ts'
import type { Eventual } from '../../kit/chain.ts'
import type { RankTask } from './rank.ts'
import type { ShortlistOutcome } from './shortlist.ts'

/** Steps of a recommendation. The index selects candidates; their texts and reviews decide their order. */
export interface RecommendationSteps {
  shortlist(query: RecommendationQuery, caller: QueryCaller): Eventual<ShortlistOutcome>
  rank(task: RankTask, caller: QueryCaller): Promise<RecommendationHit[]>
}

/** Creates a recommender from its two steps. */
export const createRecommender = ({ shortlist, rank }: RecommendationSteps): Recommender => ({
  recommend: async (query, caller) => {
    const list = await shortlist(query, caller)
    if (typeof list === 'string') return list
    if (list.candidates.ids.length === 0) return []
    return rank(
      { ...list, languages: query.languages, nowMs: query.nowMs, limit: query.limit, text: query.text },
      caller,
    )
  },
})
