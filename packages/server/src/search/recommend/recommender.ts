import type { RecommendationHit, RecommendationQuery, Recommender } from '../../domain/recommendation.ts'
import type { RankTask } from './recommend.ts'
import type { ShortlistOutcome } from './shortlist.ts'

/** The two halves of a recommendation: the index narrows, then what is said of the few decides. */
export interface Halves {
  shortlist(query: RecommendationQuery): Promise<ShortlistOutcome>
  rank(task: RankTask): Promise<RecommendationHit[]>
}

/** Recommends places. */
export const recommender = ({ shortlist, rank }: Halves): Recommender => ({
  recommend: async query => {
    const list = await shortlist(query)
    if (typeof list === 'string' || list.candidates.length === 0) return typeof list === 'string' ? list : []
    return rank({ ...list, languages: query.languages, nowMs: query.nowMs, limit: query.limit })
  },
})
