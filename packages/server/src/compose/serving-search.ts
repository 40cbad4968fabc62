import type { Recommender } from '../domain/recommendation.ts'
import type { Engine } from '../domain/stores.ts'
import type { Clock } from '../kit/clock.ts'
import type { Logger } from '../kit/log.ts'
import type { Threads } from '../kit/threads.ts'
import type { IndexKeeper } from '../search/keep/index-keeper.ts'
import { createRecommender } from '../search/recommend/recommender.ts'
import type { Layout } from '../store/folder/layout.ts'
import { createRankingThread } from './ranking-thread.ts'
import { startIndexKeeper } from './serving-index.ts'

/** Search and recommendations of a running service. */
export interface ServingSearch {
  readonly index: IndexKeeper
  readonly recommender: Recommender
  close(): Promise<void>
}

/** Starts the index keeper, and creates the thread that ranks recommendations. */
export function openSearch(
  engine: Engine,
  layout: Layout,
  { clock, threads, log }: { readonly clock: Clock; readonly threads: Threads; readonly log: Logger },
): ServingSearch {
  const index = startIndexKeeper(layout, engine, {
    clock,
    threads,
    onError: (error, retryMs) =>
      log.warn({ err: error }, `Could not update the search index; will retry in ${retryMs / 1000} s.`),
  })
  const ranking = createRankingThread(threads, engine.descriptor)
  return {
    index,
    recommender: createRecommender({ shortlist: query => index.shortlist(query), rank: task => ranking.request(task) }),
    close: async () => {
      await index.close()
      await ranking.stop()
    },
  }
}
