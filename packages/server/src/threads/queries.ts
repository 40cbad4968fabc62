/**
 * The queries thread: reads usage and calls for requests of keys about themselves. It opens a separate engine, so that
 * the serving thread never waits for it (ARCHITECTURE.md).
 */
import { workerData } from 'node:worker_threads'
import { answerKeyQuery } from '../compose/key-queries.ts'
import type { FailedQuery, KeyQuery, KeyQueryResult, QueriesTask } from '../compose/queries-thread.ts'
import { composeRequests } from '../compose/requests.ts'
import { composeUsage } from '../compose/usage.ts'
import { StoreFailure } from '../domain/store-errors.ts'
import { serveRequests } from '../kit/inside-thread.ts'
import { openEngine } from '../store/engine.ts'

const { engine: descriptor, config } = workerData as QueriesTask
const engine = openEngine(descriptor, { create: false })
const parts = { ...composeUsage(engine, config, 0), requests: composeRequests(engine, config) }

serveRequests<KeyQuery, KeyQueryResult | FailedQuery>(async query => {
  try {
    return await answerKeyQuery(parts, query)
  } catch (error) {
    if (!(error instanceof StoreFailure)) throw error
    const { kind, file } = error
    return { failed: { kind, file } }
  }
})
