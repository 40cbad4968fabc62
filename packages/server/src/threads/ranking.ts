/**
 * The ranking thread: reads the texts of places and ranks them. It opens a separate engine, so that the serving thread
 * never waits for texts (ARCHITECTURE.md).
 */
import { workerData } from 'node:worker_threads'
import type { RecommendationHit } from '../domain/recommendation.ts'
import type { EngineDescriptor } from '../domain/stores.ts'
import { serveRequests } from '../kit/inside-thread.ts'
import { type RankTask, rank } from '../search/recommend/rank.ts'
import { openEngine } from '../store/engine.ts'

const { texts } = openEngine(workerData as EngineDescriptor, { create: false })

// Each ranking reads a consistent state of the store.
serveRequests<RankTask, RecommendationHit[]>(task => texts.readConsistently(reader => rank(reader, task)))
