/**
 * A worker thread: reads what is said of places and ranks them, on a store connection of its own, so that the serving
 * thread never waits for texts (ARCHITECTURE.md).
 */
import { parentPort, workerData } from 'node:worker_threads'
import type { RankReply, RankRequest } from '../compose/ranking-thread.ts'
import type { RankTask } from '../search/recommend/recommend.ts'
import { rank } from '../search/recommend/recommend.ts'
import { dataMigrations } from '../store/sqlite/migrations/data.ts'
import { openSqlite } from '../store/sqlite/open.ts'
import { sqlitePlaceTexts } from '../store/sqlite/place-texts.ts'

const { data } = workerData as { data: string }
const db = openSqlite(data, dataMigrations, { synchronous: 'NORMAL', readonly: true, cacheMb: 16, mapped: true })
const texts = sqlitePlaceTexts(db)

/** One answer is read from one state of the store. */
async function answer(task: RankTask) {
  db.exec('BEGIN')
  try {
    return await rank(texts, task)
  } finally {
    db.exec('ROLLBACK')
  }
}

let turn: Promise<void> = Promise.resolve()
parentPort!.on('message', ({ number, task }: RankRequest) => {
  turn = turn.then(async () => {
    let reply: RankReply
    try {
      reply = { number, hits: await answer(task) }
    } catch (error) {
      reply = { number, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
    }
    parentPort!.postMessage(reply)
  })
})
