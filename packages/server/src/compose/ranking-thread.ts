import type { RecommendationHit } from '../domain/recommendation.ts'
import type { EngineDescriptor } from '../domain/stores.ts'
import type { Thread } from '../kit/thread.ts'
import { threadEntry } from '../kit/thread-entry.ts'
import type { Threads } from '../kit/threads.ts'
import type { RankTask } from '../search/recommend/rank.ts'

/** Creates the thread that ranks recommendations; the first request starts it. */
export const createRankingThread = (
  threads: Threads,
  engine: EngineDescriptor,
): Thread<RankTask, RecommendationHit[]> =>
  threads.create<RankTask, RecommendationHit[]>({
    name: 'ranking',
    entry: threadEntry('../threads/ranking', import.meta.url),
    data: engine,
    running: 'on-request',
  })
