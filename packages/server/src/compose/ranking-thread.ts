import type { RecommendationHit } from '../domain/recommendation.ts'
import type { EngineDescriptor } from '../domain/stores.ts'
import type { Thread } from '../kit/thread.ts'
import { threadEntry } from '../kit/thread-entry.ts'
import type { Threads } from '../kit/threads.ts'
import type { RankTask } from '../search/recommend/rank.ts'

/** Data of the ranking thread. */
export interface RankingThreadData {
  readonly engine: EngineDescriptor
  /** Path of the index of reviews, which may be missing. */
  readonly reviewsIndex: string
  /** Module of the vectors of texts; undefined without vectors. */
  readonly vectors?: string | undefined
}

/** Creates the thread that ranks recommendations; the first request starts it. */
export const createRankingThread = (threads: Threads, data: RankingThreadData): Thread<RankTask, RecommendationHit[]> =>
  threads.create<RankTask, RecommendationHit[]>({
    name: 'ranking',
    entry: threadEntry('../threads/ranking', import.meta.url),
    data,
    running: 'on-request',
  })
