import type { Config } from '../config/load.ts'
import type { RecommendationHit, Recommender } from '../domain/recommendation.ts'
import type { QueryCaller } from '../domain/search.ts'
import type { Engine } from '../domain/stores.ts'
import { FairQueue } from '../kit/fair-queue.ts'
import type { Logger } from '../kit/log.ts'
import type { IndexKeeper } from '../search/keep/index-keeper.ts'
import type { IndexSources } from '../search/keep/index-sources.ts'
import type { RankTask } from '../search/recommend/rank.ts'
import { createRecommender } from '../search/recommend/recommender.ts'
import type { Layout } from '../store/folder/layout.ts'
import type { IndexSharing } from './index-sharing.ts'
import { type IndexConfig, openIndexSharing } from './open-index-sharing.ts'
import { createRankingThread } from './ranking-thread.ts'
import { startIndexKeeper } from './serving-index.ts'
import { startReviewsKeeper } from './serving-reviews.ts'

/** Search and recommendations of a running service. */
export interface ServingSearch {
  readonly index: IndexKeeper
  /** Shares the index with other nodes; undefined if its file is that of this node alone. */
  readonly sharing: IndexSharing | undefined
  readonly recommender: Recommender
  /** Ranks the candidates of a recommendation. */
  rank(task: RankTask, caller: QueryCaller): Promise<RecommendationHit[]>
  /** The queues of long queries, by the thread that runs them. */
  readonly queues: Readonly<Record<'search' | 'ranking', FairQueue>>
  close(): Promise<void>
}

/**
 * Bounds of the queue of each thread. Two jobs run, so that the thread never waits for the next one. A long
 * query takes 5 to 20 ms at a million places, so that the last of 64 waits for about a second; the share of a subject
 * is more than any client keeps open at the burst of a search bucket.
 */
const queueBounds = { running: 2, waiting: 64, waitingPerSubject: 16 }

/** Starts the index keeper, and creates the thread that ranks recommendations. */
export function openSearch(
  config: IndexConfig & Pick<Config, 'recommendations'>,
  engine: Engine,
  layout: Layout,
  { clock, threads, log, onView }: Pick<IndexSources, 'clock' | 'threads' | 'onView'> & { readonly log: Logger },
): ServingSearch {
  const { vectors } = config.recommendations
  const queues = { search: new FairQueue(queueBounds), ranking: new FairQueue(queueBounds) }
  const sharing = openIndexSharing(config, layout, engine, { log })
  const index = startIndexKeeper(config, layout, engine, {
    sharing,
    clock,
    threads,
    queue: queues.search,
    onView,
    onError: (error, retryMs) =>
      log.warn({ err: error }, `Could not update the search index; will retry in ${retryMs / 1000} s.`),
  })
  const ranking = createRankingThread(threads, {
    engine: engine.descriptor,
    reviewsIndex: layout.reviewsIndex,
    vectors,
  })
  const reviews = startReviewsKeeper(engine, layout, { clock, log, vectors })
  const rank = (task: RankTask, caller: QueryCaller) => queues.ranking.run(caller, () => ranking.request(task))
  return {
    index,
    sharing,
    recommender: createRecommender({
      shortlist: (query, caller) => index.shortlist(query, caller),
      rank,
    }),
    rank,
    queues,
    close: async () => {
      await Promise.all([sharing?.stop(), index.close(), reviews.close()])
      await ranking.stop()
    },
  }
}
