/**
 * The queries thread: sums usage for requests of keys about themselves. It opens a separate engine, so that the serving thread
 * never waits for it (ARCHITECTURE.md).
 */
import { workerData } from 'node:worker_threads'
import { answerKeyQuery } from '../compose/key-queries.ts'
import type { KeyQuery, KeyQueryResult } from '../compose/queries-thread.ts'
import { composeReports } from '../compose/usage.ts'
import type { EngineDescriptor } from '../domain/stores.ts'
import { systemClock } from '../kit/clock.ts'
import { serveRequests } from '../kit/inside-thread.ts'
import { openEngine } from '../store/engine.ts'

const descriptor = workerData as EngineDescriptor
const { ledger } = openEngine(descriptor, { create: false })
const stores = { usage: composeReports(ledger, descriptor.folder), clock: systemClock }

serveRequests<KeyQuery, KeyQueryResult>(query => answerKeyQuery(stores, query))
