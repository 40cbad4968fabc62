/**
 * The ranking thread: reads the texts of places and ranks them. It opens a separate engine, so that the serving thread
 * never waits for texts (ARCHITECTURE.md).
 */
import { workerData } from 'node:worker_threads'
import type { RankingThreadData } from '../compose/ranking-thread.ts'
import type { RecommendationHit } from '../domain/recommendation.ts'
import { serveRequests } from '../kit/inside-thread.ts'
import { type RankTask, rank } from '../search/recommend/rank.ts'
import { OpenReviews } from '../search/reviews/open-reviews.ts'
import { openEngine } from '../store/engine.ts'

const { engine, reviewsIndex, vectors: module } = workerData as RankingThreadData
const { texts } = openEngine(engine, { create: false })
const reviews = new OpenReviews(reviewsIndex)
// Imported only where it is configured. A query does not wait for a module that no longer answers.
const vectors =
  module === undefined
    ? undefined
    : await (await import('../compose/load-text-vectors.ts')).loadTextVectors(module, { answerWithinMs: 5000 })

// Each ranking reads a consistent state of the store. One runs at a time.
serveRequests<RankTask, RecommendationHit[]>(task =>
  texts.readConsistently(reader => reviews.use(index => rank(reader, task, { reviews: index, vectors }))),
)
