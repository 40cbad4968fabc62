/**
 * A worker thread: reads what is said of places and ranks them, on a store connection of its own, so that the serving
 * thread never waits for texts (ARCHITECTURE.md).
 */
import { parentPort, workerData } from 'node:worker_threads'
import type { RankReply, RankRequest } from '../compose/ranking-thread.ts'
import type { EngineDescriptor } from '../domain/stores.ts'
import { rank } from '../search/recommend/recommend.ts'
import { openEngine } from '../store/engine.ts'

const { texts } = openEngine((workerData as { engine: EngineDescriptor }).engine, { create: false })

parentPort!.on('message', async ({ number, task }: RankRequest) => {
  let reply: RankReply
  try {
    // One answer is read from one state of the store.
    reply = { number, hits: await texts.atOneMoment(reader => rank(reader, task)) }
  } catch (error) {
    reply = { number, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
  parentPort!.postMessage(reply)
})
